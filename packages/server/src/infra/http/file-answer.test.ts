import Fastify from "fastify";
import { describe, expect, test } from "vitest";
import type { FileAnswer } from "#core/contract/operation.ts";
import { rangeOf, sendFile } from "./file-answer.ts";

async function ask(answer: FileAnswer, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") {
  const app = Fastify({ exposeHeadRoutes: true });
  app.get("/", async (request, reply) => await sendFile(request, reply, answer));
  return await app.inject({ method, url: "/", headers });
}

const text = "0123456789";
const opened: FileAnswer = {
  type: "text/plain",
  size: 10,
  etag: "abc",
  cacheSeconds: 60,
  body: async (range) =>
    (async function* parts() {
      yield Buffer.from(range === null ? text : text.slice(range.from, range.to + 1));
    })(),
};

describe("which range is meant", () => {
  test.each([
    [undefined, null],
    ["bytes=0-3", { from: 0, to: 3 }],
    ["bytes=4-", { from: 4, to: 9 }],
    ["bytes=-3", { from: 7, to: 9 }],
    ["bytes=-30", { from: 0, to: 9 }],
    ["bytes=8-99", { from: 8, to: 9 }],
    ["bytes=10-", "none"],
    ["bytes=-0", "none"],
    ["bytes=5-2", null],
    ["bytes=-", null],
    ["bytes=0-1,3-4", null],
    ["items=0-1", null],
  ])("%s of ten bytes", (header, range) => expect(rangeOf(header, 10)).toEqual(range));
});

describe("a file as an answer", () => {
  test("comes whole, with what caches may do", async () => {
    const answer = await ask(opened);
    expect([answer.statusCode, answer.body]).toEqual([200, text]);
    expect(answer.headers).toMatchObject({
      etag: '"abc"',
      "cache-control": "private, max-age=60",
      "accept-ranges": "bytes",
      "content-length": "10",
      "content-security-policy": expect.stringContaining("sandbox"),
    });
  });

  test("comes in part", async () => {
    const answer = await ask(opened, { range: "bytes=2-4" });
    expect([answer.statusCode, answer.body, answer.headers["content-range"]]).toEqual([206, "234", "bytes 2-4/10"]);
    const bytes = await ask({ ...opened, body: Buffer.from(text) }, { range: "bytes=-2" });
    expect([bytes.statusCode, bytes.body]).toEqual([206, "89"]);
  });

  test("comes whole when the part is of other content", async () => {
    expect((await ask(opened, { range: "bytes=2-4", "if-range": '"old"' })).statusCode).toBe(200);
    expect((await ask(opened, { range: "bytes=2-4", "if-range": '"abc"' })).statusCode).toBe(206);
  });

  test("a part beyond the end is refused with the length", async () => {
    const answer = await ask(opened, { range: "bytes=10-" });
    expect([answer.statusCode, answer.headers["content-range"]]).toEqual([416, "bytes */10"]);
  });

  test.each(['"abc"', 'W/"abc"', '"x", "abc"', "*"])("who has it as %s is told so", async (known) => {
    const answer = await ask(opened, { "if-none-match": known });
    expect([answer.statusCode, answer.body]).toEqual([304, ""]);
  });

  test("is not opened for HEAD", async () => {
    const answer = await ask({ ...opened, body: () => Promise.reject(new Error("opened")) }, {}, "HEAD");
    expect([answer.statusCode, answer.headers["content-length"]]).toEqual([200, "10"]);
  });

  test("is saved under its own name, whatever letters it has", async () => {
    const answer = await ask({ type: "text/plain", name: 'Müller "x".txt', body: text });
    expect(answer.headers["content-disposition"]).toBe(
      "attachment; filename=\"M_ller__x_.txt\"; filename*=UTF-8''M%C3%BCller%20%22x%22.txt",
    );
    expect(answer.headers["cache-control"]).toBe("no-store");
  });
});
