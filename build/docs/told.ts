// What the stories have told, in docs/transcripts/: written, or compared.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { ControlPlane } from '../../test/cluster/control-plane.ts';
import { fieldsOf, steadyDocument } from './documents.ts';
import { transcripts } from './places.ts';
import { openStage } from './stage.ts';
import { documents } from './stories/documents.ts';
import { playStories } from './stories.ts';

/** The CronJob controller would tidy up the history first: the stories are played without it. */
export const controllerManagerFlags = ['--controllers=*,-cronjob-controller'];

const folder = join(transcripts, 'documents');

export interface Told {
  /** Below docs/transcripts/. */
  readonly file: string;
  readonly text: string;
  readonly isStale: boolean;
}

export async function tell(plane: ControlPlane): Promise<readonly Told[]> {
  const stage = openStage(plane);
  const sessions = [...(await playStories(stage))].map(([name, text]) => {
    const file = `${name}.txt`;
    return { file, text, isStale: read(join(transcripts, file)) !== text };
  });
  const printed = await documents(stage);
  const isStale = hasOtherFields([...printed.values()]);
  return [
    ...sessions,
    ...[...printed].map(([name, document]) => ({
      file: join('documents', `${name}.yaml`),
      text: stringify(steadyDocument(document, plane.server)),
      isStale: isStale || !existsSync(join(folder, `${name}.yaml`)),
    })),
  ];
}

export function write({ file, text }: Told): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(transcripts, file), text);
}

export interface Recorded {
  /** `delete-timed-out` */
  readonly name: string;
  readonly document: { readonly kind: string };
}

export const recordedDocuments = (): Recorded[] =>
  (existsSync(folder) ? readdirSync(folder) : []).sort().map(file => ({
    name: file.replace(/\.yaml$/, ''),
    document: parse(readFileSync(join(folder, file), 'utf8')) as Recorded['document'],
  }));

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Values differ, and so does who came first, we or the garbage collector; the fields of all of them together, and their types, do not. */
function hasOtherFields(printed: readonly unknown[]): boolean {
  const picture = (documents: readonly unknown[]) =>
    JSON.stringify([...fieldsOf(documents)].map(([name, types]) => [name, ...[...types].sort()]));
  return picture(recordedDocuments().map(({ document }) => document)) !== picture(printed);
}
