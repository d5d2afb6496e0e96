import { localAddress } from "./address.ts";
import { command as strict, CommandError, configArg, loadOrRefuse } from "./command.ts";

const limitMs = 4000;

/** For supervisors that can run a command only: code 0 when the server of this configuration answers. */
export const command = strict({
  meta: {
    name: "health",
    description: "Check that the server of this configuration is running; the exit code is then 0",
  },
  args: { ready: { type: "boolean", description: "Check that it can serve, not only that it is running" }, ...configArg },
  async run({ args }) {
    const { listen, adminListen } = loadOrRefuse(args.config).config.http;
    const ready = args.ready === true;
    // Without the admin listener only a process with the role web can be asked.
    const [option, url] =
      adminListen === null
        ? ["http.listen, because http.adminListen is off", `${localAddress(listen)}/api/system/ready`]
        : ["http.adminListen", `${localAddress(adminListen)}${ready ? "/readyz" : "/livez"}`];
    const answer = await fetch(url, { signal: AbortSignal.timeout(limitMs) }).catch(() => null);
    if (answer === null) throw new CommandError(`nothing answers at ${url} (${option}); check that the server is running`);
    const { state = "ok" } = (await answer.json().catch(() => ({}))) as { readonly state?: string };
    if (!ready && adminListen === null) {
      process.stdout.write("ok\n");
      return;
    }
    process.stdout.write(`${state}\n`);
    if (!answer.ok || state === "down") throw new CommandError(`${url} says ${state}`);
  },
});
