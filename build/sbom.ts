// What a release consists of, as CycloneDX: `npm sbom` reads it from the lockfile, this makes it the same on every run.
// npm's --omit=dev would leave out what a tool of development uses as well, as y18n (seen with npm 11.19.1); so all of it is
// asked for, and what the lockfile says is for development alone goes here.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { lockedForProduction } from './lockfile.ts';
import { root } from './places.ts';
import { targets } from './targets.ts';

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
}

interface Bom {
  readonly metadata: {
    readonly lifecycles: unknown;
    readonly component: Component;
  };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

export async function sbom(): Promise<string> {
  const { stdout } = await promisify(execFile)(
    'npm',
    ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'],
    { cwd: root, maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.stringify(reproducible(JSON.parse(stdout) as Bom), undefined, 2);
}

function reproducible(bom: Bom): object {
  const { metadata } = bom;
  const [name = '', version] = metadata.component['bom-ref'].split('@');
  const shipped = new Set(lockedForProduction().map(one => `${one.name}@${one.version}`));
  const components = bom.components.filter(one => shipped.has(`${one.name}@${one.version}`)).map(withCpe);
  const refs = new Set([metadata.component['bom-ref'], ...components.map(one => one['bom-ref'])]);
  const content = {
    ...bom,
    // npm puts the time there, its own version, and for the name the folder that it runs in
    metadata: {
      lifecycles: metadata.lifecycles,
      tools: [{ vendor: 'npm', name: 'cli' }],
      component: { ...metadata.component, name, version },
    },
    components,
    dependencies: bom.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(one => refs.has(one)).sort() })),
  };
  return { ...content, serialNumber: `urn:uuid:${uuidOf(JSON.stringify({ ...content, serialNumber: '' }))}` };
}

const nodePackages = new Set(targets.map(({ nodePackage }) => nodePackage));

/** So that a scanner finds what is known about Node under the names of the packages that bring it. */
const withCpe = (one: Component): Component =>
  nodePackages.has(one.name)
    ? { ...one, ...{ scope: 'required', cpe: `cpe:2.3:a:nodejs:node.js:${one.version}:*:*:*:*:*:*:*` } }
    : one;

/** Version 8 of RFC 9562, "custom": here the hash of the content. */
function uuidOf(content: string): string {
  const hex = createHash('sha256').update(content).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
