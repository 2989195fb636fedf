//! Between Python's objects and the wire form.
//!
//! Decides what counts as JSON: what has a `to_dict` or a `tolist` is taken by it, sets and tuples are lists. Never
//! decides what a value means.

use hardwon::clock;
use hardwon_core::env::Env;
use hardwon_core::error::Error;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PyMapping, PySequence, PySet, PyString,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};

use crate::errors::{OrRaise, raised};

/// As deep as JSON may nest; deeper is a cycle, or an attack.
const DEEPEST: usize = 100;

/// A value of the core as Python's.
pub(crate) fn to_python(py: Python<'_>, value: &impl Serialize) -> PyResult<Py<PyAny>> {
    let value = serde_json::to_value(value).map_err(|problem| PyValueError::new_err(problem.to_string()))?;
    Ok(object(py, &value)?.unbind())
}

/// A value of Python as one of the core's types.
pub(crate) fn from_python<T: DeserializeOwned>(what: &str, value: &Bound<'_, PyAny>) -> PyResult<T> {
    let py = value.py();
    serde_json::from_value(json(value, 0)?)
        .map_err(|problem| raised(py, &Error::invalid("json", format!("{what}: {problem}"))))
}

/// The JSON text of a value; what JSON has no form for is told by its `repr`.
#[pyfunction]
pub(crate) fn json_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(loose(value, 0)?.to_string())
}

/// The present time as the wire tells it.
#[pyfunction]
pub(crate) fn now() -> String {
    clock::now().to_string()
}

/// An id that nothing else has.
#[pyfunction]
pub(crate) fn new_id(py: Python<'_>) -> PyResult<String> {
    let seed = clock::seed().or_raise(py)?;
    Ok(Env { now: clock::now(), seed }.op_id().to_string())
}

fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(yes) => PyBool::new(py, *yes).to_owned().into_any(),
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(whole), _) => whole.into_pyobject(py)?.into_any(),
            (None, Some(whole)) => whole.into_pyobject(py)?.into_any(),
            _ => PyFloat::new(py, number.as_f64().unwrap_or_default()).into_any(),
        },
        Value::Array(list) => {
            let list = list.iter().map(|one| object(py, one)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, list)?.into_any()
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            for (name, one) in fields {
                dict.set_item(name, object(py, one)?)?;
            }
            dict.into_any()
        }
    })
}

/// The value as JSON, or a `TypeError` where it has no form there.
fn json(value: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    if depth > DEEPEST {
        return Err(PyValueError::new_err("the value nests too deep, or holds itself"));
    }
    if let Some(plain) = scalar(value)? {
        return Ok(plain);
    }
    if let Ok(list) = value.cast::<PyList>() {
        return list.iter().map(|one| json(&one, depth + 1)).collect::<PyResult<_>>().map(Value::Array);
    }
    if let Ok(fields) = value.cast::<PyMapping>() {
        let mut map = Map::new();
        for pair in fields.items()?.iter() {
            let (name, one): (String, Bound<'_, PyAny>) = pair.extract()?;
            map.insert(name, json(&one, depth + 1)?);
        }
        return Ok(Value::Object(map));
    }
    let is_set = value.is_instance_of::<PySet>() || value.is_instance_of::<PyFrozenSet>();
    if is_set || value.cast::<PySequence>().is_ok() {
        return value
            .try_iter()?
            .map(|one| json(&one?, depth + 1))
            .collect::<PyResult<_>>()
            .map(Value::Array);
    }
    for own in ["to_dict", "tolist"] {
        if value.hasattr(own)? {
            return json(&value.call_method0(own)?, depth + 1);
        }
    }
    Err(PyTypeError::new_err(format!("{} has no form in JSON", value.get_type().name()?)))
}

/// As [`json`], with a `repr` in the place of whatever has no form, so that any call can be told.
fn loose(value: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    if let Ok(list) = value.cast::<PyList>()
        && depth < DEEPEST
    {
        return list.iter().map(|one| loose(&one, depth + 1)).collect::<PyResult<_>>().map(Value::Array);
    }
    if let Ok(fields) = value.cast::<PyDict>()
        && depth < DEEPEST
    {
        let mut map = Map::new();
        for (name, one) in fields.iter() {
            map.insert(name.str()?.to_string(), loose(&one, depth + 1)?);
        }
        return Ok(Value::Object(map));
    }
    json(value, depth).or_else(|_| Ok(Value::String(value.repr()?.to_string_lossy().into_owned())))
}

/// A text. Half a character, with which a text may end that was cut, is U+FFFD.
fn text_of(text: &Bound<'_, PyString>) -> PyResult<String> {
    if let Ok(text) = text.to_str() {
        return Ok(text.to_owned());
    }
    let bytes: Vec<u8> = text.call_method1("encode", ("utf-16-le", "surrogatepass"))?.extract()?;
    let units: Vec<u16> = bytes.as_chunks().0.iter().map(|unit| u16::from_le_bytes(*unit)).collect();
    Ok(String::from_utf16_lossy(&units))
}

fn scalar(value: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
    Ok(Some(if value.is_none() {
        Value::Null
    } else if let Ok(yes) = value.cast::<PyBool>() {
        Value::Bool(yes.is_true())
    } else if let Ok(text) = value.cast::<PyString>() {
        Value::String(text_of(text)?)
    } else if value.is_instance_of::<PyInt>() {
        match (value.extract::<i64>(), value.extract::<u64>()) {
            (Ok(whole), _) => whole.into(),
            (_, Ok(whole)) => whole.into(),
            _ => return Err(PyValueError::new_err("a whole number is out of range")),
        }
    } else if value.is_instance_of::<PyFloat>() {
        let number = Number::from_f64(value.extract()?);
        Value::Number(number.ok_or_else(|| PyValueError::new_err("a number is not finite"))?)
    } else {
        return Ok(None);
    }))
}
