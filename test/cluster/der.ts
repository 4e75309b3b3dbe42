// DER, as much of it as an X.509 certificate takes. Node reads certificates but cannot write them, and a fresh machine
// has no openssl; the libraries that can need a metadata polyfill and twenty packages for these sixty lines.
// Source: ITU-T X.690 for the encoding, RFC 5280 for what goes into a certificate.

export type Der = Buffer;

function length(bytes: number): Buffer {
  if (bytes < 0x80) return Buffer.from([bytes]);
  const hex = bytes.toString(16);
  const big = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
  return Buffer.concat([Buffer.from([0x80 | big.length]), big]);
}

function tagged(tag: number, ...contents: readonly Uint8Array[]): Der {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), length(content.length), content]);
}

export const sequence = (...items: readonly Der[]): Der => tagged(0x30, ...items);
export const set = (...items: readonly Der[]): Der => tagged(0x31, ...items);
export const octets = (content: Uint8Array): Der => tagged(0x04, content);
export const text = (value: string): Der => tagged(0x0c, Buffer.from(value));
export const yes: Der = Buffer.from([0x01, 0x01, 0xff]);

/** `[n] EXPLICIT` */
export const explicit = (n: number, content: Der): Der => tagged(0xa0 + n, content);

/** `[n] IMPLICIT` of a primitive type, as in subjectAltName: 2 is a DNS name, 7 an IP address. */
export const implicit = (n: number, content: Uint8Array): Der => tagged(0x80 + n, content);

/** Positive, most significant byte first. */
export function integer(value: Uint8Array): Der {
  const first = value[0] ?? 0;
  return tagged(0x02, first >= 0x80 ? Buffer.concat([Buffer.from([0]), value]) : value);
}

export const bits = (content: Uint8Array, unused = 0): Der => tagged(0x03, Buffer.from([unused]), content);

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

/** `2.5.4.3` */
export function oid(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** UTCTime, which holds until 2049. */
export const time = (date: Date): Der =>
  tagged(0x17, Buffer.from(`${date.toISOString().replace(/\D/g, '').slice(2, 14)}Z`));
