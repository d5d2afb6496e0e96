import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parse, stringify } from "yaml";
import { afterAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../packages/server/src/config/index.ts";
import { createMetrics } from "../../packages/server/src/infra/telemetry/metrics.ts";
import { declaredMetrics } from "../generators/metrics.ts";
import { replaceParts } from "../parts.ts";
import { renderChart } from "./chart.ts";

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const folder = mkdtempSync(path.join(tmpdir(), "rollcall-deploy-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The configuration of a file with the environment of its container is accepted. */
function expectSound(text: string, env: Record<string, string>): void {
  const cwd = mkdtempSync(path.join(folder, "config-"));
  mkdirSync(path.join(cwd, "data"));
  writeFileSync(path.join(cwd, "config.yaml"), text);
  const loaded = loadConfig({ cwd, env, systemDirectory: "/nonexistent" });
  expect(loaded.ok ? [] : loaded.problems.map(({ path: option, what }) => `${option} ${what}`)).toEqual([]);
}

const given: Record<string, string> = {
  ROLLCALL_PUBLIC_URL: "https://rollcall.example.org",
  ROLLCALL_DOMAIN: "rollcall.example.org",
  ROLLCALL_SECRET: "secret-of-the-deploy-test-1",
  ROLLCALL_JWT_SECRET: "secret-of-the-deploy-test-2",
  ROLLCALL_COOKIE_SECRET: "secret-of-the-deploy-test-3",
  ROLLCALL_SYNC_TOKEN: "secret-of-the-deploy-test-4",
  ROLLCALL_DATABASE_PASSWORD: "secretOfTheDeployTest5",
  ROLLCALL_NATS_PASSWORD: "secretOfTheDeployTest6",
  ROLLCALL_S3_PASSWORD: "secretOfTheDeployTest7",
  ROLLCALL_ZONE: "Europe%2FBerlin",
  ROLLCALL_DATABASE_POOL: "3G",
};

/** As Compose does it: `${NAME}`, `${NAME:?why}` and `${NAME:-default}`. */
const interpolated = (text: string) =>
  text.replaceAll(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_all, name: string, kind?: string, rest?: string) => {
    const value = given[name];
    if (value !== undefined) return value;
    if (kind === "-") return rest ?? "";
    throw new Error(`compose.yaml uses ${name}, which is not in env.example`);
  });

describe("compose.yaml", () => {
  interface Service {
    readonly image?: string;
    readonly command?: readonly string[];
    readonly environment?: Record<string, string>;
    readonly depends_on?: Record<string, unknown>;
    readonly volumes?: readonly string[];
    readonly read_only?: boolean;
  }
  const compose = parse(interpolated(read("compose.yaml")), { merge: true }) as {
    readonly services: Record<string, Service>;
    readonly volumes: Record<string, null>;
  };
  const { services } = compose;

  it("has the program in its three roles, and the services that it needs", () => {
    expect(Object.keys(services)).toEqual(["web", "worker", "bot", "mariadb", "nats", "s3", "bucket"]);
    for (const role of ["web", "worker", "bot"]) expect(services[role]?.command).toEqual(["serve", `--roles=${role}`]);
    for (const [name, { image, depends_on: needs = {}, volumes = [] }] of Object.entries(services)) {
      expect(image, name).toMatch(name === "web" || name === "worker" || name === "bot" ? /^rollcall$/ : /^[\w./-]+:[\w.-]+$/);
      for (const other of Object.keys(needs)) expect(Object.keys(services), `${name} needs`).toContain(other);
      for (const volume of volumes) {
        const [source = ""] = volume.split(":");
        if (source.startsWith("./")) expect(existsSync(path.join(root, source)), source).toBe(true);
        else expect(Object.keys(compose.volumes)).toContain(source);
      }
    }
  });

  it("gives each role a configuration that passes the check", () => {
    for (const role of ["web", "worker", "bot"]) {
      expect(services[role]?.read_only).toBe(true);
      expectSound(read("deploy/compose/config.yaml"), services[role]?.environment ?? {});
    }
  });

  it("gives the database as much memory as .env says, and half a gigabyte when it says nothing", () => {
    expect(services["mariadb"]?.command).toContain("--innodb-buffer-pool-size=3G");
    expect(read("compose.yaml")).toContain("--innodb-buffer-pool-size=${ROLLCALL_DATABASE_POOL:-512M}");
  });

  it("uses only variables of env.example", () => {
    const named = [...read("deploy/compose/env.example").matchAll(/^(\w+)=/gm)].map((match) => match[1]);
    expect(named.toSorted()).toEqual(Object.keys(given).toSorted());
  });
});

describe("the Helm chart", () => {
  const chart = path.join(root, "deploy/helm/rollcall");
  const values = parse(readFileSync(path.join(chart, "values.yaml"), "utf8"));
  const secrets = {
    ROLLCALL_SECRET: given["ROLLCALL_SECRET"],
    ROLLCALL_JWT_SECRET: given["ROLLCALL_JWT_SECRET"],
    ROLLCALL_HTTP_SESSIONS_COOKIESECRET: given["ROLLCALL_COOKIE_SECRET"],
    ROLLCALL_SYNC_APITOKENS: given["ROLLCALL_SYNC_TOKEN"],
    ROLLCALL_DATABASE_DSN: "rollcall:pass@tcp(db:3306)/rollcall?collation=utf8mb4_unicode_ci&parseTime=True&loc=UTC",
    ROLLCALL_NATS_URL: "nats://rollcall:pass@nats:4222",
    ROLLCALL_STORAGE_OBJECTSTORE_ACCESSKEYID: "rollcall",
    ROLLCALL_STORAGE_OBJECTSTORE_SECRETACCESSKEY: "secret-of-the-deploy-test-8",
  };
  const full = { ...values, secrets, bot: { ...values.bot, enabled: true } };
  const named = (rendered: ReturnType<typeof renderChart>) =>
    rendered.map(({ kind, metadata }) => `${kind}/${metadata.name}`).toSorted();

  it("believes no neighbour in the cluster about the address of a visitor until the operator names a proxy", () => {
    expect(values.config.http.trustedProxies).toEqual([]);
  });

  it("renders what an installation needs, the bot only when enabled", () => {
    const always = [
      "ConfigMap/city-config",
      "Deployment/city-web",
      "Deployment/city-worker",
      "Ingress/city",
      "PodDisruptionBudget/city-web",
      "Secret/city-secrets",
      "Service/city-web",
    ];
    expect(named(renderChart(chart, values))).toEqual(always);
    expect(named(renderChart(chart, full))).toEqual([...always, "Deployment/city-bot"].toSorted());
    const own = { ...values, existingSecret: "mine", ingress: { ...values.ingress, enabled: false } };
    expect(named(renderChart(chart, own))).not.toContain("Secret/city-secrets");
    expect(JSON.stringify(renderChart(chart, own))).toContain('"secretRef":{"name":"mine"}');
  });

  it("gives pods probes, no privileges, and a configuration that passes the check", () => {
    const rendered = renderChart(chart, full);
    const config = rendered.find(({ kind }) => kind === "ConfigMap")!["data"]["config.yaml"] as string;
    const secret = rendered.find(({ kind }) => kind === "Secret")!["stringData"] as Record<string, string>;
    expectSound(config, secret);
    for (const deployment of rendered.filter(({ kind }) => kind === "Deployment")) {
      const { spec, metadata } = deployment["spec"].template;
      expect(metadata.labels).toMatchObject(deployment["spec"].selector.matchLabels);
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 });
      const [container] = spec.containers;
      expect(container.image).toBe("rollcall:0.1.0");
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
      expect([container.livenessProbe.httpGet.path, container.readinessProbe.httpGet.path]).toEqual(["/livez", "/readyz"]);
      const ports = container.ports.map((port: { name: string }) => port.name);
      expect(ports).toContain("admin");
      const mounted = container.volumeMounts.map((mount: { name: string }) => mount.name).toSorted();
      expect(mounted).toEqual(spec.volumes.map((volume: { name: string }) => volume.name).toSorted());
    }
  });

  it("has the version of the program", () => {
    const { appVersion } = parse(readFileSync(path.join(chart, "Chart.yaml"), "utf8")) as { appVersion: string };
    expect(appVersion).toBe((JSON.parse(read("package.json")) as { version: string }).version);
    expect(stringify(values)).not.toMatch(/secret-of/);
  });
});

describe("the Dockerfile", () => {
  const lines = read("Dockerfile")
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const instructions = lines.map((line) => line.split(/\s+/, 1)[0]);

  it("builds with the script that try.sh runs, and copies existing files", () => {
    expect(lines.find((line) => line.includes("build.sh"))).toContain("sh deploy/image/build.sh /src /app");
    expect(read("deploy/image/try.sh")).toContain('deploy/image/build.sh" "$place/src" "$place/app"');
    for (const script of ["deploy/image/try.sh", "deploy/release-try.sh"]) expect(read(script)).toContain('image/run-once.sh"');
    expect(spawnSync("sh", ["-n", path.join(root, "deploy/image/build.sh")]).status).toBe(0);
    expect(read("deploy/image/build.sh")).toContain('deploy/image/parts.sh" "$src/packages/server/dist" packages/server/dist');
    expect(read("deploy/image/build.sh")).toContain('packages/sync-sdk/build.ts "$out/sdk/rollcall-sync-sdk.tgz"');
    expect(spawnSync("sh", ["-n", path.join(root, "deploy/image/try.sh")]).status).toBe(0);
    for (const part of ["server", "sync-sdk", "web", "e2e"])
      expect(existsSync(path.join(root, "packages", part, "package.json"))).toBe(true);
  });

  it("copies only the present bundle, and keeps for a week what a running program still loads", () => {
    const [from, to] = [path.join(folder, "built"), path.join(folder, "installed", "dist")];
    const copy = (content: string, ...parts: string[]) => {
      replaceParts(
        from,
        { name: "main.js", content },
        parts.map((name) => ({ name, content: name })),
      );
      const { status, stderr } = spawnSync("sh", [path.join(root, "deploy/image/parts.sh"), from, to], { encoding: "utf8" });
      expect([status, stderr]).toEqual([0, ""]);
      return readdirSync(to).toSorted();
    };
    const age = (days: number, file: string) => {
      const time = new Date(Date.now() - days * 24 * 60 * 60_000);
      utimesSync(path.join(to, file), time, time);
    };
    expect(copy("1", "a-1.js")).toEqual([".parts", "a-1.js", "main.js"]);
    age(30, "a-1.js");
    expect(copy("2", "a-2.js")).toEqual([".parts", "a-1.js", "a-2.js", "main.js"]);
    expect(readFileSync(path.join(to, "main.js"), "utf8")).toBe("2");
    age(8, "a-1.js");
    expect(copy("3", "a-3.js")).toEqual([".parts", "a-2.js", "a-3.js", "main.js"]);
  });

  it("runs as an unprivileged user, with a health check and pinned base images", () => {
    const last = lines.slice(instructions.lastIndexOf("FROM"));
    expect(last.filter((line) => line.startsWith("USER"))).toEqual(["USER 10001:10001"]);
    expect(last.some((line) => line.startsWith("HEALTHCHECK") && line.includes('"health"'))).toBe(true);
    for (const line of lines.filter((one) => one.startsWith("FROM"))) expect(line).toMatch(/^FROM [\w/-]+:[\w.-]+( AS \w+)?$/);
    expect(lines.filter((line) => line.startsWith("ADD"))).toEqual([]);
  });
});

describe("the systemd unit", () => {
  const analyze = spawnSync("systemd-analyze", ["--version"]).status === 0;
  const unit = path.join(root, "deploy/systemd/rollcall.service");

  it("runs an existing program, as its own user", () => {
    const text = readFileSync(unit, "utf8");
    const program = /^ExecStart=\/usr\/bin\/env node \/opt\/rollcall\/(\S+) serve/m.exec(text)?.[1] ?? "";
    expect(existsSync(path.join(root, program))).toBe(true);
    for (const setting of ["User=rollcall", "NoNewPrivileges=yes", "ProtectSystem=strict", "CapabilityBoundingSet="])
      expect(text.split("\n")).toContain(setting);
  });

  it.skipIf(!analyze)("is accepted by systemd, and exposes little", () => {
    const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });
    const own = `${stdout}${stderr}`.split("\n").filter((line) => line.includes("rollcall.service"));
    expect([status, own]).toEqual([0, []]);
    const exposure = spawnSync("systemd-analyze", ["security", "--offline=true", "--threshold=20", unit], { encoding: "utf8" });
    expect(exposure.status, exposure.stdout.split("\n").slice(-3).join("\n")).toBe(0);
  });
});

describe("the Grafana dashboard", () => {
  it("uses metrics that exist", async () => {
    const expressions = [...read("deploy/grafana/rollcall.json").matchAll(/"expr": "((?:[^"\\]|\\.)*)"/g)].map(
      (match) => match[1] ?? "",
    );
    expect(expressions.length).toBeGreaterThan(15);
    const registry = createMetrics();
    const own = [...(await registry.expose()).matchAll(/^# TYPE (\w+)/gm)].map((match) => match[1] ?? "");
    const known = new Set([
      ...own,
      ...declaredMetrics().flatMap(({ name, type }) =>
        type === "histogram" ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      ),
    ]);
    for (const expression of expressions)
      for (const [name] of expression.matchAll(/\brollcall_\w+/g)) expect([...known], expression).toContain(name);
  });
});
