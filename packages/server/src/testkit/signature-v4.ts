import { createHmac, hash } from "node:crypto";
import type { IncomingMessage } from "node:http";

export interface SignedBy {
  readonly accessKeyID: string;
  readonly region: string;
}

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();

/** The signer of a request to an S3 server, or null if the signature was not created with this secret. */
export function signedBy({ method = "", url = "", headers }: IncomingMessage, secret: string): SignedBy | null {
  const shape =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d+)\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)$/;
  const [, accessKeyID = "", day = "", region = "", names = "", signature] = shape.exec(headers.authorization ?? "") ?? [];
  const [path = "", query = ""] = url.split("?", 2);
  const sorted = query
    .split("&")
    .filter((one) => one !== "")
    .map((one) => (one.includes("=") ? one : `${one}=`))
    .sort()
    .join("&");
  const lines = names.split(";").map((name) => `${name}:${[headers[name] ?? ""].flat().join(",").trim()}\n`);
  const request = [method, path, sorted, lines.join(""), names, headers["x-amz-content-sha256"]].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, hash("sha256", request)].join("\n");
  const key = ["s3", "aws4_request"].reduce(hmac, hmac(hmac(`AWS4${secret}`, day), region) as Buffer);
  return hmac(key, text).toString("hex") === signature ? { accessKeyID, region } : null;
}
