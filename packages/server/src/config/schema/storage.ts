import { parseEndpoint } from "../web.ts";
import { refuse } from "../parsed.ts";
import { duration, filePath, flag, numeric, oneOf, text, textual } from "./kinds.ts";

const inEffect = true;

function relativePrefix(value: string) {
  const bad = /^([/\\]|[a-z]:)/i.test(value) || value.split(/[/\\]/).some((part) => part === "." || part === "..");
  return bad ? refuse(`"${value}" is not a relative prefix`, "write for example rollcall/uploads, without . and ..") : null;
}

function bucketName(value: string) {
  const good = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/i.test(value);
  return good ? null : refuse(`"${value}" is not a bucket name`, "write 3 to 63 letters, digits, dots and hyphens");
}

export const storage = {
  type: oneOf(["filesystem", "objectstore"], {
    default: "filesystem",
    inEffect,
    meaning: "Where uploads are stored: a folder, or an S3-compatible object store.",
  }),
  filesystem: {
    path: filePath({
      default: "/data",
      inEffect,
      meaning: "Folder of the uploads, preferably a separate one such as /data/files; it must exist and be writable.",
    }),
    prefix: text({ example: "rollcall", inEffect, meaning: "Subfolder of that folder." }, relativePrefix),
  },
  objectstore: {
    endpoint: textual(
      { example: "https://s3.example.org", inEffect, meaning: "URL of the object store." },
      { parse: parseEndpoint },
    ),
    region: text({ default: "us-east-1", inEffect, meaning: "Region of the bucket." }),
    accessKeyID: text({ example: "AKIAEXAMPLE", inEffect, meaning: "Id of the access key." }),
    secretAccessKey: text({
      secret: true,
      example: '"(secret access key)"',
      inEffect,
      meaning: "Secret of the access key.",
    }),
    useSSL: flag({ default: true, inEffect, meaning: "Use https for the object store." }),
    bucketName: text({ example: "rollcall", inEffect, meaning: "The bucket; it must exist." }, bucketName),
    prefix: text({ example: "uploads", inEffect, meaning: "Prefix of every key in the bucket." }, relativePrefix),
    retries: numeric({ default: 3, inEffect, meaning: "Number of retries of a failed operation." }, { min: 0, max: 100 }),
    checkOnStartup: flag({ default: false, inEffect, meaning: "Check at start whether the bucket can be used." }),
  },
  metricsEnabled: flag({ default: true, inEffect, meaning: "Measure the size of stored uploads." }),
  metricsInterval: duration({ default: "10m", inEffect, meaning: "Time between measurements." }, { min: "1s" }),
};
