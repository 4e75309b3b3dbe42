// X.509 certificates: what stands in one, and its signature.
import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import {
  bits,
  type Der,
  explicit,
  implicit,
  integer,
  octets,
  oid,
  sequence,
  set,
  text,
  time,
  yes,
} from './der.ts';

/** To Kubernetes the common name is the user and each organization one of its groups. */
export interface Subject {
  readonly name: string;
  readonly groups?: readonly string[];
  /** IPv4, under which it may serve besides 127.0.0.1. */
  readonly addresses?: readonly string[];
}

const ids = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const;

const anHour = 3_600_000;
const algorithm = sequence(oid(ids.ecdsaWithSha256));
const extension = (id: string, critical: boolean, content: Der): Der =>
  sequence(oid(id), ...(critical ? [yes] : []), octets(content));

function distinguishedName(subject: Subject): Der {
  const part = (id: string, value: string) => set(sequence(oid(id), text(value)));
  return sequence(
    ...(subject.groups ?? []).map(group => part(ids.organization, group)),
    part(ids.commonName, subject.name),
  );
}

export const authorityExtensions = [
  extension(ids.basicConstraints, true, sequence(yes)),
  // keyCertSign and cRLSign
  extension(ids.keyUsage, true, bits(Buffer.from([0x06]), 1)),
];

const address = (text: string): Der => implicit(7, Buffer.from(text.split('.').map(Number)));

export const leafExtensions = ({ addresses = [] }: Subject): readonly Der[] => [
  extension(ids.basicConstraints, true, sequence()),
  // digitalSignature
  extension(ids.keyUsage, true, bits(Buffer.from([0x80]), 7)),
  extension(ids.extendedKeyUsage, false, sequence(oid(ids.serverAuth), oid(ids.clientAuth))),
  // Every certificate may serve on this machine, and only here.
  extension(
    ids.subjectAltName,
    false,
    sequence(
      implicit(2, Buffer.from('localhost')),
      implicit(2, Buffer.from('kubernetes.default.svc')),
      ...['127.0.0.1', ...addresses].map(address),
    ),
  ),
];

const spki = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });
const keyId = (key: KeyObject): Buffer => createHash('sha1').update(spki(key)).digest();

export interface Signer {
  readonly subject: Subject;
  readonly key: KeyObject;
}

/** PEM */
export function certify(
  subject: Subject,
  publicKey: KeyObject,
  signer: Signer,
  extensions: readonly Der[],
): string {
  const toBeSigned = sequence(
    // v3
    explicit(0, integer(Buffer.from([2]))),
    // The top bit cleared and the next one set: positive, and no leading zero byte.
    integer(Buffer.concat([Buffer.from([0x40]), randomBytes(15)])),
    algorithm,
    distinguishedName(signer.subject),
    // An hour ago, for clocks that differ; a month ahead, because no test lives that long.
    sequence(time(new Date(Date.now() - anHour)), time(new Date(Date.now() + 30 * 24 * anHour))),
    distinguishedName(subject),
    spki(publicKey),
    explicit(
      3,
      sequence(
        ...extensions,
        extension(ids.subjectKeyIdentifier, false, octets(keyId(publicKey))),
        extension(
          ids.authorityKeyIdentifier,
          false,
          sequence(implicit(0, keyId(createPublicKey(signer.key)))),
        ),
      ),
    ),
  );
  const der = sequence(toBeSigned, algorithm, bits(sign('sha256', toBeSigned, signer.key)));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
