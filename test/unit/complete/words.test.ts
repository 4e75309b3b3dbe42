// The words so far → what is to be completed, a row each. `_` is the word that has not been begun.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Part, Sought } from '../../../src/complete/asked.ts';
import { askedBy } from '../../../src/complete/words.ts';
import { contents } from '../../../src/program.ts';

const asked = (line: string) =>
  askedBy(
    line.split(' ').map(word => (word === '_' ? '' : word)),
    contents,
  );

/** In a few words, and what of the line the choice has to fit: `any names of jobs; head job/, typed et`. */
function told({ sought, head, typed }: Part): string {
  const rest = [head && `head ${head}`, typed && `typed ${typed}`].filter(Boolean).join(', ');
  return rest === '' ? what(sought) : `${what(sought)}; ${rest}`;
}

function what(sought: Sought): string {
  switch (sought.by) {
    case 'list':
      return sought.choices.map(({ text }) => text).join(' ') || 'nothing';
    case 'kubeconfig':
      return sought.entries;
    case 'types':
      return `${sought.which} types${sought.slashed ? '/' : ''}${sought.jobs ? ' and jobs' : ''}`;
    case 'names': {
      const given = sought.given.map(({ type, name }) => `${type}/${name}`);
      const but = given.length === 0 ? '' : ` but ${given.join(' ')}`;
      return `${sought.which} names of ${sought.types.join('+')}${sought.everywhere ? ' everywhere' : ''}${but}`;
    }
    default:
      return sought.by;
  }
}

const verbs = 'delete prune unstick stop resume status completion version';

const rows: readonly (readonly [line: string, completes: string])[] = [
  // what is behind `kubectl jobctl`
  ['_', verbs],
  ['de', `${verbs}; typed de`],
  ['-', '--help --version; typed -'],
  ['help _', verbs],
  ['help delete _', 'nothing'],
  ['completion _', 'bash zsh fish powershell'],
  ['completion bash _', 'nothing'],
  ['completion -', '--help; typed -'],
  ['version _', 'nothing'],
  ['unknown _', 'nothing'],

  // TYPE and NAME, both ways
  ['delete _', 'any types and jobs'],
  ['delete jo', 'any types and jobs; typed jo'],
  ['delete job _', 'any names of job'],
  ['delete job et', 'any names of job; typed et'],
  ['delete job a b _', 'any names of job but job/a job/b'],
  ['delete job/', 'any names of job; head job/'],
  ['delete job/et', 'any names of job; head job/, typed et'],
  ['delete job/a _', 'any types/'],
  ['delete job/a cron', 'any types/; typed cron'],
  ['delete job/a cronjob/b job/', 'any names of job but job/a cronjob/b; head job/'],
  ['delete jobs,cron', 'any types; head jobs,, typed cron'],
  ['delete jobs,cronjobs _', 'any names of jobs+cronjobs'],
  ['unstick _', 'stuck types and jobs'],
  ['unstick pod _', 'stuck names of pod'],
  ['stop _', 'unfinished types and jobs'],
  ['stop cronjob/', 'unfinished names of cronjob; head cronjob/'],
  ['resume _', 'stopped types and jobs'],
  ['resume cronjob _', 'stopped names of cronjob'],
  ['prune _', 'jobs pods'],
  ['prune pods _', 'nothing'],
  ['status _', 'nothing'],

  // what the parser does not take together is not offered
  ['delete -A _', 'any types'],
  ['delete -A jobs _', 'nothing'],
  ['delete -A=false jobs _', 'any names of jobs'],
  ['delete -l app=web _', 'any types'],
  ['delete -lapp=web jobs _', 'nothing'],
  ['delete jobs --all _', 'nothing'],
  ['delete -f job.yaml _', 'nothing'],
  ['delete -l app=web job/', 'nothing'],

  // flags between the words are no words, and neither are their values
  ['delete -n team -y job _', 'any names of job'],
  ['delete job -n team a _', 'any names of job but job/a'],
  ['delete -v 6 job _', 'any names of job'],
  ['delete --dry-run job _', 'any names of job'],
  ['delete --context prod job/', 'any names of job; head job/'],
  ['delete -- _', 'any types and jobs'],
  ['delete job -- -', 'any names of job; typed -'],
  ['delete --unknown job _', 'any names of job'],

  // values
  ['delete -n _', 'namespaces'],
  ['delete -yn te', 'namespaces; typed te'],
  ['delete -nte', 'namespaces; head -n, typed te'],
  ['delete -n=te', 'namespaces; typed te'],
  ['delete --namespace te', 'namespaces; typed te'],
  ['delete --namespace=te', 'namespaces; typed te'],
  ['status --context _', 'contexts'],
  ['status --cluster _', 'clusters'],
  ['status --user _', 'users'],
  ['status --kubeconfig _', 'files'],
  ['delete -f _', 'files'],
  ['delete --client-key=a', 'files; typed a'],
  ['stop --save _', 'folders'],
  ['delete -o _', 'wide name json jsonl yaml'],
  ['delete -oj', 'wide name json jsonl yaml; head -o, typed j'],
  ['status --output=', 'wide name json yaml'],
  ['delete --cascade f', 'background foreground orphan; typed f'],
  ['delete --dry-run=', 'none client server'],
  ['delete --wait=f', 'true false; typed f'],
  ['delete --timeout _', 'nothing'],
  ['delete -l _', 'nothing'],
  ['prune --owner _', 'owners types/'],
  ['prune --owner cronjob/n', 'owners names of cronjob; head cronjob/, typed n'],
  ['prune --owner=cronjob/n', 'owners names of cronjob; head cronjob/, typed n'],
  ['prune -A --owner cronjob/', 'owners names of cronjob everywhere; head cronjob/'],

  // a letter that is whole, and one that there is not
  ['delete -y', '-y; typed -y'],
  ['delete -n', '-n; typed -n'],
  ['delete -yx', 'nothing'],
  ['delete -?', 'nothing'],
  ['delete --unknown=', 'nothing'],
];

for (const [line, completes] of rows)
  test(`“${line}” completes ${completes}`, () => assert.equal(told(asked(line)), completes));

const flagsOf = (line: string): string[] => {
  const { sought } = asked(line);
  return sought.by === 'list' ? sought.choices.map(({ text }) => text) : [];
};

for (const page of contents.verbs)
  test(`${page.name}: each flag of its table is offered, with what help says of it`, () => {
    assert.deepEqual(flagsOf(`${page.name} --`), [
      ...Object.keys(page.flags).map(name => `--${name}`),
      '--help',
    ]);
    const { sought } = asked(`${page.name} -`);
    assert.ok(sought.by === 'list' && sought.choices.every(({ about }) => about !== undefined));
  });

test('a flag that was given is not offered again, unless both would count', () => {
  const offered = flagsOf('delete -y -n a -f one.yaml --as-group x -');
  for (const name of ['yes', 'namespace']) assert.ok(!offered.includes(`--${name}`), name);
  for (const name of ['filename', 'as-group', 'context']) assert.ok(offered.includes(`--${name}`), name);
});

test('where to look is what the flags so far say, and not the one that is being typed', () => {
  assert.deepEqual(asked('delete --context prod -n a -n b job --user _').texts, {
    context: ['prod'],
    namespace: ['a', 'b'],
  });
});

for (const line of ['delete -yx _', 'delete -n= _', 'delete -A=perhaps job _'])
  test(`“${line}” is nothing that the parser takes, so there is nothing to complete`, () => {
    assert.throws(() => asked(line), { name: 'Error' });
  });
