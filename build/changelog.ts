// CHANGELOG.md, as far as a release reads it: a heading `## 1.2.3` for each version, and `## Unreleased` above them.

/** What the changelog says of the version with this tag; the tag has to be `version`, which is what the binaries say. */
export function notesFor(tag: string, version: string, changelog: string): string {
  if (tag !== `v${version}`)
    throw new Error(
      `the tag is ${tag}, but package.json says ${version}; tag v${version}, or change package.json and commit it first`,
    );
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find(text => text.split('\n', 1)[0]?.trim() === version);
  if (section === undefined)
    throw new Error(
      `CHANGELOG.md has no "## ${version}"; give what stands under "## Unreleased" that heading`,
    );
  const notes = section.slice(section.indexOf('\n')).trim();
  if (notes === '') throw new Error(`CHANGELOG.md says nothing under "## ${version}"`);
  return `${notes}\n`;
}
