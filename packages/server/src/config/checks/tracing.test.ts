import { describe, expect, it } from "vitest";
import { load, loadSound, soundConfig } from "../config.testkit.ts";
import { formatFinding } from "../finding.ts";

const otlp = (text: string) => `${soundConfig}otlp: {enabled: true, ${text}}\n`;

function problem(text: string): string {
  const loaded = load(otlp(text));
  return loaded.ok ? "" : loaded.problems.map(formatFinding).join("\n");
}

const warnings = (text: string) => loadSound(otlp(text)).warnings.map(formatFinding).join("\n");

describe("otlp.url", () => {
  it.each(["localhost:4317", "127.0.0.1:4317", "[::1]:4317"])("does not require TLS on this machine: %s", (host) => {
    expect(problem(`type: grpc, url: "http://${host}"`)).toBe("");
  });

  it("is refused without TLS for other hosts, with both remedies", () => {
    expect(problem('type: http, url: "http://collector:4318"')).toMatch(
      /otlp\.url {2}http:\/\/collector:4318 is not encrypted, and otlp\.insecure is false {2}write https:\/\/collector:4318, or set otlp\.insecure to true/,
    );
    expect(problem('type: http, url: "http://collector:4318", insecure: true')).toBe("");
    expect(problem('type: http, url: "https://collector:4318"')).toBe("");
  });

  it("is not checked when it is not used", () => {
    expect(problem('type: stdout, url: "http://collector:4318"')).toBe("");
    expect(load(`${soundConfig}otlp: {type: http, url: "http://collector:4318"}\n`).ok).toBe(true);
  });

  it("has warnings about options without effect", () => {
    expect(warnings('type: grpc, url: "https://collector:4317/v1/traces"')).toMatch(/has a path, which gRPC does not use/);
    expect(warnings('type: http, url: "https://collector:4318", insecure: true')).toMatch(/otlp\.insecure {2}is true, but/);
  });
});

describe("otlp.type", () => {
  it("accepts both spellings", () => {
    const typeOf = (type: string) => loadSound(otlp(`type: ${type}`)).config.otlp.type;
    expect(["grpc", "http", "otlptracegrpc", "OTLPTRACEHTTP"].map(typeOf)).toEqual([
      "otlptracegrpc",
      "otlptracehttp",
      "otlptracegrpc",
      "otlptracehttp",
    ]);
  });
});

describe("otlp.frontend.url", () => {
  const urlOf = (url: string) => loadSound(otlp(`frontend: {url: "${url}"}`)).config.otlp.frontend.url;

  it("is a URL, a path of this instance, or empty", () => {
    expect(["https://traces.example.org/v1/traces", "/api/traces", "/otel/v1/traces", ""].map(urlOf)).toEqual([
      "https://traces.example.org/v1/traces",
      "/api/traces",
      "/otel/v1/traces",
      null,
    ]);
  });

  it.each(["v1/traces", "/", "//other.example/x", "/a?b=c", "/api/auth/login", "/a/../b c"])("refuses %s", (url) => {
    expect(problem(`frontend: {url: "${url}"}`)).toMatch(/otlp\.frontend\.url/);
  });

  it("has no effect alone, with a warning", () => {
    const loaded = loadSound(`${soundConfig}otlp: {frontend: {url: /api/traces}}\n`);
    expect(loaded.warnings.map(formatFinding).join("\n")).toMatch(/has no effect while otlp\.enabled is false/);
  });
});

it("names of headers must be valid", () => {
  expect(problem('headers: {"x key": a}')).toMatch(/otlp\.headers {2}"x key" is not the name of a header/);
});
