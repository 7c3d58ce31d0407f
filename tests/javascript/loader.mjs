// Each page that a test opens gets the shell's modules anew, as a reload in a browser does: the
// number of the page goes from an import to what it imports. The kit and the views keep no state of
// their own, so that all pages share them. "/assets/..." is a file of this repository, as on the page,
// and so is "headlight/assets/...", as scripts are called in a saved file (explorer/saved.py).

const ROOT = new URL("../../", import.meta.url);
const OWN = /\/assets\/(shell|exchange)\//;

export async function resolve(specifier, context, next) {
  const [, rooted] = /^(?:\/|headlight\/)((?:assets|explorer)\/.*)/.exec(specifier) ?? [];
  const place = rooted ? new URL(rooted, ROOT).href : specifier;
  const found = await next(place, context);
  const number = new URL(context.parentURL ?? "file:///").searchParams.get("page");
  if (number === null || !OWN.test(found.url) || found.url.includes("?")) return found;
  return { ...found, url: `${found.url}?page=${number}` };
}
