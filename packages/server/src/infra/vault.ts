import { createCipheriv, createDecipheriv, createHash, hkdfSync } from "node:crypto";
import { type Ids, NoSecret, type Vault } from "#core/ports/index.ts";

const version = "v1";
const nonceBytes = 12;
const tagBytes = 16;

/** The prefix of every text sealed with the key of this id. */
export const sealedPrefix = (keyId: string) => `${version}.${keyId}.`;

/** Twelve characters that identify a key without revealing it. */
function keyIdOf(secret: string): string {
  return createHash("sha256").update(`rollcall vault key\n${secret}`).digest("hex").slice(0, 12);
}

/** AES-256-GCM; a sealed text is `v1.<key id>.<base64url of nonce, ciphertext and tag>`. */
export function createVault(secret: string | null, ids: Ids): Vault {
  if (secret === null || secret === "") {
    return {
      available: false,
      keyId: null,
      seal() {
        throw new NoSecret("config.yaml has no secret, so nothing that requires encryption can be stored");
      },
      open: () => ({ state: "noSecret" }),
    };
  }
  const key = Buffer.from(hkdfSync("sha256", secret, "", "rollcall vault", 32));
  const keyId = keyIdOf(secret);
  return {
    available: true,
    keyId,
    seal(text, purpose) {
      const nonce = Buffer.from(ids.secret(nonceBytes), "base64url");
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(purpose));
      const parts = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
      return `${sealedPrefix(keyId)}${Buffer.concat(parts).toString("base64url")}`;
    },
    open(sealed, purpose) {
      const [kind, id, data = ""] = sealed.split(".");
      if (kind !== version || id !== keyId) return { state: "otherSecret" };
      const bytes = Buffer.from(data, "base64url");
      if (bytes.length < nonceBytes + tagBytes) return { state: "otherSecret" };
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes));
        decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(bytes.length - tagBytes));
        const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes, bytes.length - tagBytes)), decipher.final()]);
        return { state: "open", text: text.toString("utf8") };
      } catch {
        return { state: "otherSecret" };
      }
    },
  };
}
