// The scopes that a TextMate grammar gives to lines, as Visual Studio Code reads it: lines in, JSON out.
//
// Arguments: the folder of the libraries, the grammar.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [modules, grammarPath] = process.argv.slice(2)
const require = createRequire(join(modules, 'here.js'))
const oniguruma = require('vscode-oniguruma')
const { INITIAL, Registry, parseRawGrammar } = require('vscode-textmate')

await oniguruma.loadWASM(readFileSync(join(modules, 'vscode-oniguruma', 'release', 'onig.wasm')).buffer)
const registry = new Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => parseRawGrammar(readFileSync(grammarPath, 'utf8'), grammarPath),
})
const grammar = await registry.loadGrammar('source.commonlisp')
let state = INITIAL
const lines = readFileSync(0, 'utf8').split('\n').map((line) => {
  const found = grammar.tokenizeLine(line, state)
  state = found.ruleStack
  return found.tokens.map((token) => [line.slice(token.startIndex, token.endIndex), token.scopes.at(-1)])
})
process.stdout.write(JSON.stringify(lines))
