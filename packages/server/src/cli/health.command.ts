import { localAddress } from "./address.ts";
import { command as strict, CommandError, configArg, loadOrRefuse } from "./command.ts";

const limitMs = 4000;

/** For supervisors that can run a command only: code 0 when the server of this configuration answers. */
export const command = strict({
  meta: {
    name: "health",
    description: "Ask the running server of this configuration whether it is running; the exit code is 0 if so",
  },
  args: { ready: { type: "boolean", description: "Ask whether it can serve, not only whether it is running" }, ...configArg },
  async run({ args }) {
    const { adminListen } = loadOrRefuse(args.config).config.http;
    if (adminListen === null) throw new CommandError("http.adminListen is off; the health check needs it", 2);
    const url = `${localAddress(adminListen)}${args.ready === true ? "/readyz" : "/livez"}`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(limitMs) }).catch(() => null);
    if (answer === null) throw new CommandError(`nothing answers at ${url} (http.adminListen)`);
    const { state } = (await answer.json()) as { readonly state: string };
    process.stdout.write(`${state}\n`);
    if (!answer.ok) throw new CommandError(`${url} says ${state}`);
  },
});
