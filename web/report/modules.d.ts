// Modules that web/build.mjs makes.
declare module 'linsep:specs' {
  const specs: Record<string, {lite: Record<string, unknown>; vega: Record<string, unknown>}>;
  export default specs;
}
declare module 'linsep:palette' {
  const palette: Record<string, string>;
  export default palette;
}
