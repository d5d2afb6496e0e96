import { Type } from "typebox";
import type { Config } from "#config/index.ts";
import { defineGameRequest, type GameRequestDefinition } from "#core/contract/index.ts";
import { defineFeature } from "#core/feature.ts";
import { type EndedGameRequest, type GameRequestOutcome, onGameRequest } from "#core/ports/index.ts";
import { testSecrets } from "#testkit/app.ts";
import type { AppUnderTest } from "#testkit/suite.ts";
import { gamerequestsApi, type GameRequestStatus, type NewGameRequest } from "./gamerequests.api.ts";
import { pollRequests, putReceipts, type Receipt } from "./gamerequests.contract.ts";

const payload = Type.Object({ text: Type.String() });
const answer = Type.Object({ said: Type.Optional(Type.String()) });

export const greet = defineGameRequest({ id: "trialrequests.greet", summary: "", payload, answer, expiresMs: 600_000 });
export const fragile = defineGameRequest({ id: "trialrequests.fragile", summary: "", payload, answer, expiresMs: 600_000 });
export const hurry = defineGameRequest({ id: "trialrequests.hurry", summary: "", payload, answer, expiresMs: 400 });

/** Kinds of requests whose ends tests see. */
export class TrialRequests {
  readonly ended: { readonly request: EndedGameRequest; readonly outcome: GameRequestOutcome }[] = [];

  /** While it is set, the end of `fragile` cannot be run. */
  broken = false;

  readonly feature = defineFeature<Config>({
    name: "trialrequests",
    about: "",
    needs: ["gamerequests"],
    contract: { gameRequests: [greet, hurry, fragile] },
    tables: [],
    create: () => ({
      gameRequests: [greet, hurry, fragile].map((request) =>
        onGameRequest({
          request,
          ended: async (tx, ended, outcome) => {
            if (this.broken && request === fragile) throw new Error("the feature is broken");
            tx.afterCommit(() => this.ended.push({ request: ended, outcome }));
          },
        }),
      ),
    }),
  });

  statesOf(id: string): string[] {
    return this.ended.filter(({ request }) => request.id === id).map(({ outcome }) => outcome.state);
  }
}

export async function sql({ app }: AppUnderTest, statement: string, values: (string | number)[] = []) {
  const { db } = app.process.container;
  return (await db.exclusive("test.sql", async ({ connection }) => await connection.execute(statement, values))).rows;
}

/** Resolves once a poll that begins after this has looked for requests: whatever is committed from then on ends its wait. */
export async function nextPoll({ app }: AppUnderTest): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = app.process.container.db.observe(({ unit }) => unit === "gamerequests.poll" && resolve());
  await promise;
  end();
}

export async function stateOf(under: AppUnderTest, id: string): Promise<unknown> {
  return (await sql(under, "select state from gamerequests where id = ?", [id]))[0]?.["state"];
}

const system = { kind: "system", name: "test" } as const;

/** What Rollcall sends, and what a plugin of one source does. */
export class Plugin {
  readonly #under: AppUnderTest;
  readonly #token: string;
  readonly source: string;
  epoch: string | undefined;
  position = 0;

  constructor(under: AppUnderTest, source: string, token: string = testSecrets.sync) {
    this.#under = under;
    this.#token = token;
    this.source = source;
  }

  async send(text: string, more: Partial<NewGameRequest> = {}, kind: GameRequestDefinition = greet): Promise<string> {
    const { assembly, container } = this.#under.app.process;
    const requests = assembly.api(gamerequestsApi);
    const request = { payload: { text }, source: this.source, ...more };
    return await container.ports.db.write("test.send", async (tx) => await requests.send(tx, system, kind, request));
  }

  /** Continues behind what it fetched last. */
  async poll(wait = 0) {
    const answered = await this.peek(wait);
    this.epoch = answered.output.epoch;
    this.position = answered.output.position;
    return answered.output;
  }

  /** Fetches from its position on, without confirming it. */
  async peek(wait = 0) {
    const query = { source: this.source, after: this.position, wait, ...(this.epoch !== undefined && { epoch: this.epoch }) };
    return await this.#under.app.call(pollRequests, { query }, { token: this.#token });
  }

  async texts(wait = 0): Promise<unknown[]> {
    return (await this.poll(wait)).requests.map((one) => one.payload["text"]);
  }

  async report(...receipts: Receipt[]) {
    const body = { source: this.source, receipts };
    return (await this.#under.app.call(putReceipts, { body }, { token: this.#token })).output;
  }

  async latest(kind: GameRequestDefinition, key: string): Promise<GameRequestStatus | null> {
    const { assembly, container } = this.#under.app.process;
    const requests = assembly.api(gamerequestsApi);
    return await container.ports.db.read("test.latest", async (tx) => await requests.latest(tx, kind, key));
  }
}
