// node validate.mjs NODE_MODULES SCHEMA DOCUMENT...: prints what ajv finds wrong; exit code 1 if there is something.
import fs from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';

const [modules, schema, ...documents] = process.argv.slice(2);
const Ajv = createRequire(path.join(path.resolve(modules), 'none.js'))('ajv/dist/2020').default;
const read = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));
const validate = new Ajv({allErrors: true, strict: true, allowUnionTypes: true}).compile(read(schema));
for (const file of documents) {
  if (validate(read(file))) continue;
  process.exitCode = 1;
  for (const error of validate.errors) console.log(`${path.basename(file)}${error.instancePath}: ${error.message}`);
}
