// The same package, required.

import hardwon = require('hardwon')

const open: (options: { path: string }) => Promise<hardwon.Memory> = hardwon.open
export = open
