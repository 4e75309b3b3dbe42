// krew-manifest.yaml, filled: jobctl.yaml, as it stands in krew's index under plugins/. The template says everything but the
// version, its addresses and its checksums; what it says of a platform has to be what targets.ts builds.
import { type Document, isMap, isSeq, parseDocument, type YAMLMap } from 'yaml';
import { archiveName, binaryName, type Target, targets } from './targets.ts';

/** krew's index, its validator and its bot all want the name of the plugin. */
export const manifestName = 'jobctl.yaml';

const unfilled = { version: 'v0.0.0', sha256: '0'.repeat(64) } as const;

/** `sums`: the SHA-256 of each archive, by its name. */
export function krewManifest(template: string, version: string, sums: ReadonlyMap<string, string>): string {
  const manifest = parseDocument(template);
  const platforms = platformsIn(manifest);
  for (const target of targets) {
    const platform = platforms.get(nameOf(target));
    if (platform === undefined) throw new Error(`krew-manifest.yaml has no platform ${nameOf(target)}`);
    platforms.delete(nameOf(target));
    fill(platform, target, `v${version}`, sums);
  }
  const [unbuilt] = platforms.keys();
  if (unbuilt !== undefined) throw new Error(`krew-manifest.yaml has ${unbuilt}, which nothing builds`);
  manifest.setIn(['spec', 'version'], `v${version}`);
  // its first comment is about the template
  manifest.commentBefore = null;
  const filled = manifest.toString({ lineWidth: 0 });
  assertFilled(filled);
  return filled;
}

const nameOf = ({ os, arch }: Pick<Target, 'os' | 'arch'>): string => `${os}/${arch}`;

function platformsIn(manifest: Document): Map<string, YAMLMap> {
  const platforms = manifest.getIn(['spec', 'platforms']);
  if (!isSeq(platforms)) throw new Error('krew-manifest.yaml has no spec.platforms');
  const named = platforms.items.filter(isMap).map(platform => {
    const label = (name: string) => platform.getIn(['selector', 'matchLabels', name]);
    return [`${label('os')}/${label('arch')}`, platform] as const;
  });
  return new Map(named);
}

function fill(platform: YAMLMap, target: Target, tag: string, sums: ReadonlyMap<string, string>): void {
  const archive = archiveName(target);
  const said = { uri: String(platform.get('uri')), bin: platform.get('bin') };
  if (!said.uri.endsWith(`/releases/download/${unfilled.version}/${archive}`))
    throw new Error(`krew-manifest.yaml has ${said.uri} for ${nameOf(target)}, which is built as ${archive}`);
  if (said.bin !== binaryName(target))
    throw new Error(`krew-manifest.yaml starts ${said.bin} on ${nameOf(target)}, not ${binaryName(target)}`);
  const sum = sums.get(archive);
  if (sum === undefined) throw new Error(`${archive} has no checksum`);
  platform.set('uri', said.uri.replace(unfilled.version, tag));
  platform.set('sha256', sum);
}

function assertFilled(manifest: string): void {
  for (const left of Object.values(unfilled)) {
    if (manifest.includes(left)) throw new Error(`${manifestName} still has ${left} in it`);
  }
  // krew-release-bot takes the file for a template of Go, which without these is the file as it is
  if (manifest.includes('{{'))
    throw new Error(`${manifestName} has {{ in it, which krew-release-bot would execute`);
}
