"""Guards around the real LangChain and LangGraph, where they are installed."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import hardwon

tools = pytest.importorskip("langchain_core.tools")
prebuilt = pytest.importorskip("langgraph.prebuilt")
graph = pytest.importorskip("langgraph.graph")
messages = pytest.importorskip("langchain_core.messages")

LESSON = "Take the city from list_cities before you call weather."


@tools.tool  # type: ignore[untyped-decorator]
def weather(city: str) -> str:
    """The weather in a city."""
    if city == "Atlantis":
        raise ValueError("no such city: Atlantis")
    return f"sunny in {city}"


@tools.tool  # type: ignore[untyped-decorator]
async def forecast(city: str) -> str:
    """The forecast for a city."""
    if city == "Atlantis":
        raise ValueError("no such city: Atlantis")
    return f"rain in {city}"


def call(name: str, city: Any) -> dict[str, Any]:
    return {"name": name, "args": {"city": city}, "id": "call-1", "type": "tool_call"}


def test_a_tool_is_observed_and_learned_from(memory: hardwon.Memory) -> None:
    run = hardwon.Run(memory)
    guarded = run.guard(weather)
    assert guarded.name == "weather" and guarded.args == weather.args and isinstance(guarded, tools.BaseTool)
    assert guarded.invoke({"city": "Oslo"}) == "sunny in Oslo"
    answered = guarded.invoke(call("weather", "Oslo"))
    assert answered.tool_call_id == "call-1" and answered.content == "sunny in Oslo"
    with pytest.raises(ValueError, match="Atlantis"):
        guarded.invoke({"city": "Atlantis"})
    with pytest.raises(Exception, match="city"):
        guarded.invoke({"town": "Oslo"})
    assert {record.tools for record in memory.list().records} == {("weather",)}
    assert run.trouble == [] and weather.invoke({"city": "Oslo"}) == "sunny in Oslo"


def test_an_async_tool(memory: hardwon.Memory) -> None:
    guarded = hardwon.guard(forecast, memory=memory)
    assert asyncio.run(guarded.ainvoke({"city": "Oslo"})) == "rain in Oslo"
    with pytest.raises(ValueError, match="Atlantis"):
        asyncio.run(guarded.ainvoke({"city": "Atlantis"}))
    assert memory.list().records[0].tools == ("forecast",)


def test_advice_reaches_the_model_as_a_message(memory: hardwon.Memory) -> None:
    memory.teach(LESSON, tools=["weather"], situation="what is the weather")
    options: dict[str, Any] = {"memory": memory, "task": "what is the weather"}
    told = hardwon.guard(weather, **options).invoke(call("weather", "Oslo"))
    assert LESSON in told.content and told.content.endswith("sunny in Oslo")
    instead = hardwon.guard(weather, advice="instead", **options).invoke(call("weather", "Oslo"))
    assert LESSON in instead.content and "sunny" not in instead.content and instead.tool_call_id == "call-1"


def test_a_tool_node_in_a_graph(memory: hardwon.Memory) -> None:
    node = prebuilt.ToolNode([weather, forecast], handle_tool_errors=True)
    guarded = hardwon.guard(node, memory=memory)
    flow = graph.StateGraph(graph.MessagesState)
    flow.add_node("tools", guarded)
    flow.add_edge(graph.START, "tools")
    app = flow.compile()

    def answer(city: str) -> Any:
        asked = messages.AIMessage("", tool_calls=[call("weather", city)])
        return app.invoke({"messages": [asked]})["messages"][-1]

    assert answer("Oslo").content == "sunny in Oslo"
    assert answer("Atlantis").status == "error"
    (lesson,) = memory.list().records
    assert lesson.tools == ("weather",) and type(node.tools_by_name["weather"]) is type(weather)
