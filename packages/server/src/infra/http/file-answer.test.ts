import Fastify from "fastify";
import { describe, expect, test } from "vitest";
import type { FileAnswer } from "#core/contract/operation.ts";
import { rangeOf, sendFile } from "./file-answer.ts";

async function fetchAnswer(answer: FileAnswer, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") {
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
    (async function* chunks() {
      yield Buffer.from(range === null ? text : text.slice(range.from, range.to + 1));
    })(),
};

describe("the requested range", () => {
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
  test("is sent whole, with caching headers", async () => {
    const answer = await fetchAnswer(opened);
    expect([answer.statusCode, answer.body]).toEqual([200, text]);
    expect(answer.headers).toMatchObject({
      etag: '"abc"',
      "cache-control": "private, max-age=60",
      "accept-ranges": "bytes",
      "content-length": "10",
      "content-security-policy": expect.stringContaining("sandbox"),
    });
  });

  test("is sent in part for a range", async () => {
    const answer = await fetchAnswer(opened, { range: "bytes=2-4" });
    expect([answer.statusCode, answer.body, answer.headers["content-range"]]).toEqual([206, "234", "bytes 2-4/10"]);
    const bytes = await fetchAnswer({ ...opened, body: Buffer.from(text) }, { range: "bytes=-2" });
    expect([bytes.statusCode, bytes.body]).toEqual([206, "89"]);
  });

  test("is sent whole when If-Range names other content", async () => {
    expect((await fetchAnswer(opened, { range: "bytes=2-4", "if-range": '"old"' })).statusCode).toBe(200);
    expect((await fetchAnswer(opened, { range: "bytes=2-4", "if-range": '"abc"' })).statusCode).toBe(206);
  });

  test("is not sent for a range beyond the end, but its size is", async () => {
    const answer = await fetchAnswer(opened, { range: "bytes=10-" });
    expect([answer.statusCode, answer.headers["content-range"]]).toEqual([416, "bytes */10"]);
  });

  test.each(['"abc"', 'W/"abc"', '"x", "abc"', "*"])("is not sent to a client that has it as %s", async (known) => {
    const answer = await fetchAnswer(opened, { "if-none-match": known });
    expect([answer.statusCode, answer.body]).toEqual([304, ""]);
  });

  test("is not opened for HEAD", async () => {
    const answer = await fetchAnswer({ ...opened, body: () => Promise.reject(new Error("opened")) }, {}, "HEAD");
    expect([answer.statusCode, answer.headers["content-length"]]).toEqual([200, "10"]);
  });

  test("is saved under its name, with any characters", async () => {
    const answer = await fetchAnswer({ type: "text/plain", name: 'Müller "x".txt', body: text });
    expect(answer.headers["content-disposition"]).toBe(
      "attachment; filename=\"M_ller__x_.txt\"; filename*=UTF-8''M%C3%BCller%20%22x%22.txt",
    );
    expect(answer.headers["cache-control"]).toBe("no-store");
  });
});
