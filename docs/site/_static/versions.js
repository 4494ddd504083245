// Lists the versions of the site beside the logo and opens the same page of another one. ../versions.json, which tools/join_sites
// writes, names them; where it isn't there, as in a site of one version, nothing is shown.
const root = new URL(document.documentElement.dataset.content_root ?? "./", window.location.href);
const choice = document.querySelector("#versions");

async function open(version) {
  const page = window.location.href.slice(root.href.length);
  const same = new URL(`../${version}/${page}`, root);
  const found = await fetch(same, { method: "HEAD" }).catch(() => ({ ok: false }));
  window.location.href = found.ok ? same.href : new URL(`../${version}/`, root).href;
}

const answer = await fetch(new URL("../versions.json", root)).catch(() => ({ ok: false }));
if (choice && answer.ok) {
  const here = root.pathname.split("/").at(-2);
  for (const { version, name } of await answer.json()) choice.add(new Option(name, version, false, version === here));
  choice.addEventListener("change", () => open(choice.value));
  choice.hidden = false;
}
