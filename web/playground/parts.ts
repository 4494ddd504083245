// The two parts that the engine is started from: the module, and the script that its worker runs. On a server they are files beside the
// page. In play.html, the page in one file, they are elements of the page, because browsers read no other file from a page on a disk.

export type Parts = {script: string, module: ArrayBuffer};

/** Whether the page is play.html. The build gives these names to its elements (web/build.mjs). */
export function isOneFile(): boolean {
  return document.getElementById('linsep-module') !== null;
}

export async function loadParts(): Promise<Parts> {
  return isOneFile() ? partsOfPage() : partsOfServer();
}

async function partsOfServer(): Promise<Parts> {
  const answer = await fetch('linsep.wasm');
  if (!answer.ok) throw new Error(`linsep.wasm: the server answered ${answer.status}`);
  return {script: (document.querySelector('script[src]') as HTMLScriptElement).src, module: await answer.arrayBuffer()};
}

/** The module is base64 of gzip. The address of the script lasts as long as the page, because a stopped worker is started again. */
async function partsOfPage(): Promise<Parts> {
  if (typeof DecompressionStream === 'undefined') throw new Error('This browser can’t decompress the engine: it is older than 2023.');
  const text = (id: string) => document.getElementById(id)!.textContent!;
  const packed = Uint8Array.from(atob(text('linsep-module').trim()), letter => letter.charCodeAt(0));
  const module = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
  return {script: URL.createObjectURL(new Blob([text('linsep-script')], {type: 'text/javascript'})), module};
}
