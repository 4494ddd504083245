// JSON compared with every number as its text: 1, 1.0 and 1e0 differ.

/** Every number becomes "#" and its text. */
export function withTexts(json) {
  const marked = json.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g,
    token => token.startsWith('"') ? token : `"#${token}"`);
  return JSON.parse(marked);
}

/** The first difference of `wanted` from `got`, as a sentence; null where there is none. Fields that only `got` has don't count. */
export function difference(wanted, got, path = '') {
  if (wanted === null || typeof wanted !== 'object') {
    return wanted === got ? null : `${path}: the program says ${JSON.stringify(wanted)}, the module ${JSON.stringify(got)}`;
  }
  if (got === null || typeof got !== 'object') return `${path}: the module says ${JSON.stringify(got)}`;
  if (Array.isArray(wanted) && wanted.length !== got.length) return `${path}: ${wanted.length} entries, and ${got.length}`;
  for (const name of Object.keys(wanted)) {
    const found = difference(wanted[name], got[name], `${path}/${name}`);
    if (found) return found;
  }
  return null;
}

/** How many numbers there are. */
export function countNumbers(value) {
  if (typeof value === 'string') return value.startsWith('#') ? 1 : 0;
  if (value === null || typeof value !== 'object') return 0;
  return Object.values(value).reduce((sum, one) => sum + countNumbers(one), 0);
}
