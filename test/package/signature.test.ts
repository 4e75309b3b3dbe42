// macOS kills a binary whose pages are not what its signature says, and on Apple's processors one without a signature.
// No macOS is needed to see it: the verifier is proved on Node's own binary, which was signed by Apple's tools.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMachO } from '../../build/mach-o.ts';
import { signAdHoc } from '../../build/macos-sign.ts';
import { verifySignature } from '../../build/macos-verify.ts';
import { nodeBinaries } from '../../build/node-binaries.ts';
import type { Target } from '../../build/targets.ts';
import { targetOf, unpack } from './release.ts';

const macOs = [targetOf('darwin', 'amd64'), targetOf('darwin', 'arm64')];

async function nodeOf(target: Target): Promise<Buffer> {
  for await (const { binary } of nodeBinaries([target])) return binary;
  throw new Error('there is none');
}

async function binaryOf(target: Target): Promise<Buffer> {
  const binary = (await unpack(target)).get('kubectl-jobctl')?.bytes;
  assert.ok(binary);
  return binary;
}

function flipped(file: Buffer, at: number): Buffer {
  const copy = Buffer.from(file);
  copy.writeUInt8((copy[at] ?? 0) ^ 1, at);
  return copy;
}

/** As if the load command were one that nobody knows. */
function unsigned(file: Buffer): Buffer {
  const copy = Buffer.from(file);
  const { signature, commandsEnd } = readMachO(file);
  assert.ok(signature);
  const command = Buffer.alloc(12);
  [0x1d, 16, signature.offset].forEach((word, at) => {
    command.writeUInt32LE(word, at * 4);
  });
  const at = file.indexOf(command);
  assert.ok(at > 0 && at < commandsEnd);
  copy.writeUInt32LE(0x7f, at);
  return copy;
}

for (const target of macOs) {
  test(`the verifier takes Apple's signature of Node for ${target.arch}, and no byte of another value`, async () => {
    const node = await nodeOf(target);
    const { identifier, isAdHoc, pages, hashes } = verifySignature(node);
    assert.deepEqual(
      { identifier, isAdHoc, hashes },
      { identifier: 'node', isAdHoc: false, hashes: ['sha256'] },
    );
    assert.ok(pages > 20_000);
    const { signature } = readMachO(node);
    const places = [0x1000, Math.floor(node.length / 2), (signature?.offset ?? 0) - 1];
    for (const at of places)
      assert.throws(() => verifySignature(flipped(node, at)), /is not what was signed/);
  });

  test(`the binary for macOS on ${target.arch} has an ad-hoc signature of all of its pages`, async () => {
    const binary = await binaryOf(target);
    const { identifier, isAdHoc, pages, hashes } = verifySignature(binary);
    assert.deepEqual(
      { identifier, isAdHoc, hashes },
      { identifier: 'kubectl-jobctl', isAdHoc: true, hashes: ['sha256'] },
    );
    assert.equal(pages, Math.ceil((readMachO(binary).signature?.offset ?? 0) / 4096));
    assert.throws(
      () => verifySignature(flipped(binary, 5_000_000)),
      /page 1220 of \d+ is not what was signed/,
    );
  });

  test(`an unsigned binary for ${target.arch} is refused by what the build asks, and can be signed`, async () => {
    const bare = unsigned(await binaryOf(target));
    assert.throws(() => verifySignature(bare), /the binary is not signed/);
    assert.ok(verifySignature(signAdHoc(bare)).isAdHoc);
    assert.throws(() => signAdHoc(signAdHoc(bare)), /signed already/);
  });
}
