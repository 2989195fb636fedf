// Packs the built package and installs the tarball into an empty project.
import { pack } from './app.mjs'

pack()
