import { readdirSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import type { UploadedFile } from "./files.contract.ts";

const names = [
  ...[
    "../../etc/passwd",
    "..\\..\\boot.ini",
    "/etc/shadow",
    "C:\\autoexec.bat",
    "a/../../b.png",
    "%2e%2e%2fx",
    "..",
    ".",
    "...",
    "/",
    "\\",
  ],
  ...[
    "a\r\nSet-Cookie: b=c.png",
    "tab\there",
    "\u0001\u001b[31m",
    "\u202Egnp.exe",
    "\u2066x\u2069",
    'quote".png',
    "semi;colon=1",
    "a'b*c(d).png",
  ],
  ...[
    "con",
    "nul.txt",
    ".htaccess",
    "-rf",
    "=1+1.png",
    "<img src=x>.png",
    "%s%n",
    "日本語.png",
    "😀.png",
    "ﷺ.png",
    " ",
    "\u00A0",
    "\u200B",
  ],
  ...["x".repeat(200), "😀".repeat(200), `x${"😀".repeat(199)}`, "e\u0301".repeat(100), `${"d/".repeat(99)}f`],
];
const tooLong = ["x".repeat(201), "x".repeat(300), "😀".repeat(300), ""];
const declared = [
  "text/html",
  "image/svg+xml",
  "application/json",
  "multipart/form-data; boundary=x",
  "image/png",
  "x",
  "",
  "text/html\t; charset=utf-7",
  "*/*",
];
const noPictures = [
  "<!doctype html><script>1</script>",
  "<svg xmlns='http://www.w3.org/2000/svg'/>",
  "GIF89a",
  "%PDF-1.7",
  "{}",
  "",
  "\u0000".repeat(64),
  "\x89PNG\r\n\x1a\n",
  "RIFF\0\0\0\0WEBP",
];

let picture: Buffer;
beforeAll(async () => {
  picture = await sharp({ create: { width: 4, height: 4, channels: 3, background: "#2563eb" } })
    .png()
    .toBuffer();
});

describeApps("odd uploads", (get) => {
  const upload = async (who: TestActor, name: string, body: Uint8Array, type: string) =>
    await get().app.request("POST", `/api/files/citizens.avatar/${who.characterId}?name=${encodeURIComponent(name)}`, {
      body,
      token: who.token,
      headers: { "content-type": type },
    });
  const root = () => get().app.process.container.ports.config.storage.filesystem.path;
  const stored = () => readdirSync(root(), { recursive: true, withFileTypes: true }).filter((one) => one.isFile());

  test("are stored under a generated key, whatever their name is, with the type of their bytes", async () => {
    const who = await get().world.actor();
    for (const [i, name] of names.entries()) {
      const { status, body, text } = await upload(who, name, picture, declared[i % declared.length] ?? "");
      expect([name, status, text.slice(0, status === 200 ? 0 : 300)]).toEqual([name, 200, ""]);
      const file = body as UploadedFile;
      expect([name, file.type, file.name.isWellFormed(), Array.from(file.name).length <= 200, file.name.trim()]).toEqual([
        name,
        "image/png",
        true,
        true,
        file.name,
      ]);
      expect(file.name).not.toMatch(/[/\\\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]|^$/);
      const seen = await get().app.request("GET", file.url, { cookie: who.cookie });
      expect([
        seen.status,
        seen.headers["content-type"],
        seen.headers["x-content-type-options"],
        seen.headers["set-cookie"],
      ]).toEqual([200, "image/png", "nosniff", undefined]);
      expect(seen.headers["content-security-policy"]).toContain("sandbox");
    }
    const keys = stored().map((one) => path.relative(root(), path.join(one.parentPath, one.name)));
    for (const key of keys) expect(key).toMatch(/^avatars\/\d{6}\/[0-9A-Z]{26}(?:-t)?$/);
    expect(keys.length).toBe(names.length * 2);
  });

  test("are refused with an error code when they are no picture or their name is too long, and leave nothing", async () => {
    const { world, writes } = get();
    const who = await world.actor();
    const [written, files] = [writes(["audit_entries"]), stored().length];
    for (const text of noPictures)
      for (const type of ["image/png", "text/html"]) {
        const { status, body } = await upload(who, "a.png", Buffer.from(text, "latin1"), type);
        expect([text, [400, 415].includes(status), body.code]).toEqual([text, true, expect.stringMatching(/^files\./)]);
      }
    for (const name of tooLong) {
      const { status, body } = await upload(who, name, picture, "image/png");
      expect([status, body.code, body.params.field]).toEqual([400, "system.invalidInput", "query.name"]);
    }
    expect([written.tables(), stored().length]).toEqual([[], files]);
  });
});
