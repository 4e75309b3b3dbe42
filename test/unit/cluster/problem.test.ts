// Answers and broken connections → a code to decide by, and one line in the words of kubectl.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemOfAnswer, problemOfFailure } from '../../../src/cluster/problem.ts';
import type { ProblemCode } from '../../../src/model/problem.ts';

const status = (reason: string | undefined, message: string, details?: object): string =>
  JSON.stringify({ kind: 'Status', status: 'Failure', reason, message, details });

const named = { name: 'x', kind: 'jobs' };

const answers: readonly (readonly [number, string, ProblemCode, string])[] = [
  [
    401,
    status('Unauthorized', 'Unauthorized'),
    'unauthorized',
    'error: You must be logged in to the server (Unauthorized)',
  ],
  [403, status('Forbidden', 'no'), 'forbidden', 'Error from server (Forbidden): no'],
  // a webhook picks its code: a denial is neither a conflict nor a fault of the server
  ...[409, 500, 400].map(
    code =>
      [
        code,
        status(undefined, 'admission webhook "x.example.com" denied the request: no'),
        'forbidden',
        'Error from server: admission webhook "x.example.com" denied the request: no',
      ] as const,
  ),
  [
    404,
    status('NotFound', 'jobs.batch "x" not found', named),
    'not-found',
    'Error from server (NotFound): jobs.batch "x" not found',
  ],
  [
    404,
    status('NotFound', 'namespaces "x" not found', { name: 'y' }),
    'not-served',
    'Error from server (NotFound): namespaces "x" not found',
  ],
  [404, '404 page not found\n', 'not-served', 'Error from server: 404 page not found'],
  [409, status('Conflict', 'changed'), 'changed-since-read', 'Error from server (Conflict): changed'],
  [410, status('Expired', 'too old'), 'invalid', 'Error from server (Expired): too old'],
  [415, status('UnsupportedMediaType', 'no'), 'invalid', 'Error from server (UnsupportedMediaType): no'],
  [422, status('Invalid', 'bad'), 'invalid', 'Error from server (Invalid): bad'],
  [429, status('TooManyRequests', 'slow'), 'throttled', 'Error from server (TooManyRequests): slow'],
  [500, status('InternalError', 'no leader'), 'server-error', 'Error from server (InternalError): no leader'],
  [
    503,
    status('ServiceUnavailable', 'later', { retryAfterSeconds: 1 }),
    'throttled',
    'Error from server (ServiceUnavailable): later',
  ],
  [503, status('ServiceUnavailable', 'no'), 'server-error', 'Error from server (ServiceUnavailable): no'],
  [504, status('Timeout', 'slow'), 'timeout', 'Error from server (Timeout): slow'],
  [400, status(undefined, 'odd'), 'invalid', 'Error from server: odd'],
  [502, '<html><body>Bad gateway</body></html>', 'server-error', 'Error from server: HTTP 502'],
  [500, '', 'server-error', 'Error from server: HTTP 500'],
  [500, 'null', 'server-error', 'Error from server: null'],
  [500, '"text"', 'server-error', 'Error from server: "text"'],
  [422, status('Invalid', 'a\u001b[31m\nb'), 'invalid', 'Error from server (Invalid): a [31m b'],
];

for (const [code, body, expected, text] of answers) {
  test(`${code} ${body.slice(0, 60)} is ${expected}`, () => {
    const problem = problemOfAnswer(code, body, { name: 'x' });
    assert.deepEqual([problem.code, problem.text, problem.status], [expected, text, code]);
  });
}

test('a long answer that is no Status is cut', () => {
  assert.ok(problemOfAnswer(500, 'x'.repeat(10_000)).text.length < 400);
});

test('a message that is no text is not shown as if it were one', () => {
  const { text } = problemOfAnswer(500, JSON.stringify({ kind: 'Status', message: { a: 1 }, reason: 7 }));
  assert.doesNotMatch(text, /\[object Object\]/);
});

const server = 'https://api.example:6443';
const failing = (code: string, message: string) => Object.assign(new Error(message), { code });

test('a refused connection, in the words of kubectl', () => {
  const failure = new TypeError('fetch failed', { cause: failing('ECONNREFUSED', 'connect ECONNREFUSED') });
  assert.deepEqual(problemOfFailure(failure, server, false), {
    code: 'unreachable',
    text: 'The connection to the server api.example:6443 was refused - did you specify the right host or port?',
  });
});

test('any other break names its cause, also one of several addresses', () => {
  const several = new AggregateError([failing('EHOSTUNREACH', 'connect EHOSTUNREACH'), failing('X', 'y')]);
  assert.equal(
    problemOfFailure(several, server, false).text,
    'Unable to connect to the server: EHOSTUNREACH: connect EHOSTUNREACH',
  );
  assert.equal(problemOfFailure('odd', server, false).text, 'Unable to connect to the server: odd');
});

test('a deadline of ours names the server that did not answer', () => {
  const { code, text } = problemOfFailure(new Error('aborted'), server, true);
  assert.deepEqual(
    [code, text],
    ['timeout', `Unable to connect to the server: ${server} did not answer in time`],
  );
});
