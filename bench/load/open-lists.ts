/**
 * Pages with an open list of citizens, in a process of their own: each has a cache, a connection and the code that keeps
 * the browser's answers current. Counts the calls that they make, and says what they show.
 */
import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { WebSocket } from "ws";
import type { Page } from "@rollcall/server/contract/core";
import { citizensTopic, listCitizens, type CitizenRow } from "@rollcall/server/contract/citizens";
import { positionHeader } from "@rollcall/server/contract/core";
import { systemClock } from "../../packages/web/src/core/clock.ts";
import { byText } from "../../packages/web/src/core/order.ts";
import { createAnswers } from "../../packages/web/src/core/realtime/answers.ts";
import { createConnection, type Socket } from "../../packages/web/src/core/realtime/connection.ts";
import { parsePosition } from "../../packages/web/src/core/realtime/position.ts";
import { notePosition } from "../../packages/web/src/core/realtime/positions.ts";
import { createTopics } from "../../packages/web/src/core/realtime/topics.ts";

export interface OpenListsOrder {
  readonly url: string;
  /** One for each page. */
  readonly tokens: readonly string[];
  /** Filters of each page, as a query of the operation. */
  readonly filters: readonly Readonly<Record<string, string>>[];
  readonly limit: number;
}

export interface OpenListsReport {
  readonly calls: number;
  /** Rows by page, as `id version`. */
  readonly shown: readonly (readonly string[])[];
}

interface OpenPage {
  shown(): string[];
  close(): void;
}

const byName = byText<CitizenRow>(({ firstName, lastName }) => `${lastName} ${firstName}`);
let calls = 0;
let pages: OpenPage[] = [];

async function readPage(order: OpenListsOrder, token: string, filters: Readonly<Record<string, string>>) {
  calls += 1;
  const query = new URLSearchParams({ ...filters, limit: String(order.limit) });
  const response = await fetch(`${order.url}${listCitizens.path}?${query}`, {
    headers: { "x-rollcall": "1", authorization: `Bearer ${token}` },
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return { page: (await response.json()) as Page<CitizenRow>, position: parsePosition(response.headers.get(positionHeader)) };
}

async function openPage(order: OpenListsOrder, token: string, filters: Readonly<Record<string, string>>): Promise<OpenPage> {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: 30_000, retry: false } } });
  const ready = Promise.withResolvers<void>();
  const connection = createConnection({
    clock: systemClock,
    open: () => {
      const socket = new WebSocket(`${order.url.replace("http", "ws")}/api/realtime`, { origin: order.url });
      socket.binaryType = "arraybuffer";
      return socket as unknown as Socket;
    },
    token: async () => token,
    refused: () => ready.reject(new Error("the token was refused")),
    onReady: () => {
      topics.ready();
      ready.resolve();
    },
    onMessage: (message) => topics.receive(message),
  });
  const topics = createTopics(connection.send);
  connection.start();
  await ready.promise;
  const answers = createAnswers({ queries, topics, clock: systemClock });
  const queryKey = [listCitizens.id, filters];
  const observer = new InfiniteQueryObserver(queries, {
    queryKey,
    initialPageParam: null as string | null,
    queryFn: async () => {
      const { page, position } = await readPage(order, token, filters);
      notePosition(queries, queryKey, position);
      return page;
    },
    getNextPageParam: ({ next }: Page<CitizenRow>) => next,
  });
  const stop = observer.subscribe(() => undefined);
  const { job } = filters;
  answers.show<CitizenRow>(JSON.stringify(queryKey), {
    compare: byName,
    ...(job === undefined ? {} : { matches: (row: CitizenRow) => row.job?.name === job }),
    visible: () => [0, 20],
  });
  answers.follow(citizensTopic);
  return {
    shown: () =>
      observer.getCurrentResult().data?.pages.flatMap(({ items }) => items.map(({ id, version }) => `${id} ${version}`)) ?? [],
    close() {
      stop();
      answers.stop();
      connection.stop();
      queries.clear();
    },
  };
}

async function open(order: OpenListsOrder): Promise<void> {
  pages = [];
  for (const [index, token] of order.tokens.entries())
    pages.push(await openPage(order, token, order.filters[index % order.filters.length] ?? {}));
}

process.on("message", (message: OpenListsOrder | "report" | "close") => {
  if (message === "report") {
    process.send!({ calls, shown: pages.map((page) => page.shown()) } satisfies OpenListsReport);
    calls = 0;
  } else if (message === "close") {
    for (const page of pages.splice(0)) page.close();
    process.send!("closed");
  } else {
    void open(message).then(
      () => process.send!("open"),
      (error: Error) => process.send!({ failed: error.message }),
    );
  }
});
