// A certificate authority for one control plane, and the certificates that it signs.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { authorityExtensions, certify, leafExtensions, type Signer, type Subject } from './x509.ts';

export interface Certificate {
  /** PEM */
  readonly certificate: string;
  /** PEM */
  readonly key: string;
}

// SEC 1 and not PKCS #8: from the latter kube-apiserver does not take the public half of a service account key.
const pem = (key: KeyObject): string => key.export({ type: 'sec1', format: 'pem' }).toString();

/** For service account tokens, which need a key without a certificate. */
export const newKey = (): string => pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);

export class Authority implements Certificate {
  readonly certificate: string;
  readonly key: string;
  readonly #signer: Signer;

  constructor(name: string, made?: Certificate) {
    this.key = made?.key ?? newKey();
    this.#signer = { subject: { name }, key: createPrivateKey(this.key) };
    this.certificate =
      made?.certificate ?? certify({ name }, createPublicKey(this.key), this.#signer, authorityExtensions);
  }

  /** One that an earlier process saved, so that test files can make users for a control plane they did not start. */
  static read(name: string, path: string): Authority {
    const made = {
      certificate: readFileSync(`${path}.crt`, 'utf8'),
      key: readFileSync(`${path}.key`, 'utf8'),
    };
    return new Authority(name, made);
  }

  issue(subject: Subject): Certificate {
    const key = newKey();
    return {
      key,
      certificate: certify(subject, createPublicKey(key), this.#signer, leafExtensions(subject)),
    };
  }
}

/** `path`.crt and `path`.key */
export function writeCertificate(path: string, made: Certificate): void {
  writeFileSync(`${path}.crt`, made.certificate);
  writeFileSync(`${path}.key`, made.key, { mode: 0o600 });
}
