import { useEffect, useState } from "react";
import { readWallboard, type Wallboard } from "@rollcall/server/contract/wallboard";
import { systemClock } from "#core/clock.ts";
import { asProblem } from "#core/problem.ts";
import { transport } from "#core/services.ts";
import { type BoardSocket, followBoard } from "./live.ts";

/** Changes within this time are read together; the board is read again after `OFTEN` in any case. Milliseconds. */
const TOGETHER = 1_000;
const OFTEN = 30_000;

export interface Board {
  readonly board: Wallboard | null;
  /** By the server's clock. */
  readonly readAt: number | null;
  readonly up: boolean;
  readonly ended: boolean;
}

function openSocket(): BoardSocket {
  const address = new URL("/api/realtime", location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  return new WebSocket(address) as unknown as BoardSocket;
}

/** What the link shows, kept current. */
export function useBoard(secret: string): Board {
  const [state, setState] = useState<Board>({ board: null, readAt: null, up: false, ended: secret === "" });
  useEffect(() => {
    if (secret === "") return undefined;
    let stopped = false;
    let cancel: () => void = () => undefined;
    let planned = false;
    const put = (more: Partial<Board>) => {
      if (!stopped) setState((before) => ({ ...before, ...more }));
    };
    const plan = (delay: number) => {
      cancel();
      cancel = systemClock.after(delay, () => void read());
    };
    const read = async () => {
      planned = false;
      try {
        const board = await transport.send(readWallboard, {}, { link: secret });
        put({ board, readAt: transport.serverNow() });
      } catch (error) {
        if (asProblem(error).status === 401) put({ ended: true });
      }
      if (!stopped && !planned) plan(OFTEN);
    };
    const soon = () => {
      if (planned) return;
      planned = true;
      plan(TOGETHER);
    };
    void read();
    const stop = followBoard({
      ...{ secret, clock: systemClock, open: openSocket, onChange: soon },
      onState: (up) => put({ up }),
      onEnded: () => put({ ended: true }),
    });
    return () => {
      stopped = true;
      cancel();
      stop();
    };
  }, [secret]);
  return state;
}
