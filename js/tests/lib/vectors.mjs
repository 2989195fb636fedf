// Plays the conformance vectors on the step protocol of the package, in any runtime.
//
// Decides whether this host says what the vectors say, string for string. Never rewrites a vector.

/** Plays each line; answers the names that ran and the problems. `stepper` is the package's. */
export async function playAll(lines, stepper) {
  const names = []
  const problems = []
  for (const vector of lines.map((line) => JSON.parse(line))) {
    names.push(vector.name)
    const problem = await play(vector, stepper)
    if (problem) problems.push(`${vector.name}: ${problem}`)
  }
  return { names, problems }
}

async function play(vector, make) {
  let stepper
  try {
    stepper = await make(JSON.stringify(vector.setup))
  } catch ({ code, message }) {
    return differs(vector.expect, JSON.stringify({ error: { code, message } }))
  }
  for (const operation of [vector, ...(vector.then ?? [])]) {
    let answer = stepper.start(operation.text ?? JSON.stringify(operation.start))
    for (const [asked, reply] of operation.exchange) {
      const problem = differs(asked, answer)
      if (problem) return problem
      answer = stepper.resume(JSON.stringify(reply))
    }
    const problem = differs(operation.expect, answer)
    if (problem) return problem
  }
  stepper.free()
}

// Where the two part, with what stands around; undefined where they are equal.
function differs(expected, got) {
  const wanted = JSON.stringify(expected)
  if (wanted === got) return undefined
  let at = 0
  while (at < wanted.length && wanted[at] === got[at]) at += 1
  const around = (text) => text.slice(Math.max(at - 60, 0), at + 100)
  return `character ${at}\n  expected … ${around(wanted)}\n  got      … ${around(got)}`
}
