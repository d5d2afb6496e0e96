import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { person, type Person } from "@rollcall/testkit/api.ts";
import { listening } from "@rollcall/testkit/backing.ts";
import { freePort } from "@rollcall/testkit/ports.ts";
import { makeInstance, type Instance, type Program, serve } from "@rollcall/testkit/program.ts";
import { queryFile } from "@rollcall/testkit/stored.ts";
import { until } from "@rollcall/testkit/until.ts";

const shipped = path.resolve(import.meta.dirname, "../../../../deploy/nginx/rollcall.conf");
const installed = spawnSync("nginx", ["-v"]).status === 0;
if (!installed) process.stderr.write("nginx is not installed, its test is skipped\n");

/** The shipped file with only the port, upstream and certificate changed. */
function adapted(folder: string, port: number, upstream: number): string {
  return readFileSync(shipped, "utf8")
    .replace("server 127.0.0.1:8080;", `server 127.0.0.1:${upstream};`)
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port} ssl;`)
    .replace("listen [::]:443 ssl;", "")
    .replace("/etc/ssl/rollcall/fullchain.pem", `${folder}/cert.pem`)
    .replace("/etc/ssl/rollcall/privkey.pem", `${folder}/key.pem`);
}

describe.skipIf(!installed)("behind nginx with the shipped file", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "rollcall-nginx-"));
  let instance: Instance;
  let program: Program;
  let nginx: ChildProcess;
  let port: number;
  let mara: Person;

  beforeAll(async () => {
    instance = await makeInstance();
    port = await freePort();
    const made = spawnSync("openssl", [
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "2",
      "-subj",
      "/CN=localhost",
      "-keyout",
      `${folder}/key.pem`,
      "-out",
      `${folder}/cert.pem`,
    ]);
    expect(made.status).toBe(0);
    mkdirSync(path.join(folder, "tmp"));
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (kind) => `${kind}_temp_path ${folder}/tmp/${kind};`,
    );
    writeFileSync(
      path.join(folder, "nginx.conf"),
      `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 1; events {} http { access_log off; ${temporary.join(" ")}\n${adapted(folder, port, instance.port)}\n}`,
    );
    const address = `https://localhost:${port}`;
    program = await serve(instance, {
      env: { ROLLCALL_HTTP_PUBLICURL: address, ROLLCALL_HTTP_ORIGINS: address, ROLLCALL_HTTP_TRUSTEDPROXIES: "127.0.0.1/32" },
    });
    mara = await person(instance, { username: "mara" });
    nginx = spawn("nginx", ["-p", folder, "-c", path.join(folder, "nginx.conf")], { stdio: "inherit" });
    await listening(port);
  });
  afterAll(async () => {
    if (nginx) {
      nginx.kill("SIGQUIT");
      await once(nginx, "exit");
    }
    await program?.stop();
    instance?.remove();
    rmSync(folder, { recursive: true });
  });

  async function through(page: string, options: { readonly body?: object; readonly headers?: Record<string, string> } = {}) {
    const { body, headers = {} } = options;
    return await new Promise<{ status: number; text: string; headers: Record<string, unknown> }>((resolve, reject) => {
      const sent = request(
        {
          host: "127.0.0.1",
          // A visitor who is not the proxy.
          localAddress: "127.0.0.9",
          servername: "localhost",
          port,
          path: page,
          method: body ? "POST" : "GET",
          rejectUnauthorized: false,
          headers: {
            host: `localhost:${port}`,
            "x-rollcall": "1",
            ...(body ? { "content-type": "application/json" } : {}),
            ...headers,
          },
        },
        (answer) => {
          let text = "";
          answer.setEncoding("utf8").on("data", (part: string) => (text += part));
          answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }));
        },
      );
      sent.on("error", reject);
      sent.end(body ? JSON.stringify(body) : undefined);
    });
  }

  test("pages are served, and a visitor cannot forge an address", async () => {
    const front = await through("/");
    expect([front.status, front.headers["x-content-type-options"]]).toEqual([200, "nosniff"]);
    const body = { username: "nobody", password: "wrong" };
    const refused = await through("/api/auth/login", { body, headers: { "x-forwarded-for": "203.0.113.9" } });
    expect(refused.status).toBe(401);
    const query = queryFile(path.join(instance.folder, "data", "rollcall.db"));
    const addresses = await until("the refusal is recorded", () => {
      const rows = query("select address from audit_entries where result = 'denied' order by id desc");
      return rows.length > 0 && rows;
    });
    expect(addresses).toEqual(["127.0.0.9"]);
  });

  test("a live page connects and stays", async () => {
    const socket = new WebSocket(`wss://localhost:${port}/api/realtime`, {
      rejectUnauthorized: false,
      origin: `https://localhost:${port}`,
    });
    const ready = new Promise<string>((resolve, reject) => {
      socket.on("error", reject);
      socket.on("open", () => socket.send(JSON.stringify({ type: "auth", token: mara.token })));
      socket.once("message", (data) => resolve(String(data)));
    });
    expect(JSON.parse(await ready)).toMatchObject({ type: "ready" });
    socket.close();
  });
});
