import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { beatMs, closeWindow, deskErrors, deskTopic, listDispatchers, signOff, signOn } from "@rollcall/server/contract/desk";
import { systemClock } from "#core/clock.ts";
import { useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { asProblem, type Problem } from "#core/problem.ts";
import { queryOf } from "#core/queries.ts";
import { useFollow } from "#core/realtime/lists.ts";
import { api } from "#core/services.ts";
import { showToast } from "#core/toasts.ts";
import { useOwnDuty } from "#features/duty/duty.api.ts";

/** Who is signed on in the own job, and in those that work its calls, with live changes. */
export function useDispatchers() {
  useFollow(deskTopic);
  return useQuery(queryOf(listDispatchers, {}));
}

/** `off`: not on duty, and without the right to dispatch without. `left`: signed off by hand in this window. */
export interface SignedOn {
  readonly state: "waiting" | "on" | "off" | "left";
  readonly problem: Problem | null;
}

export interface SignOnOfWindow {
  readonly signed: SignedOn;
  /** Signs off at once, while the page stays open. */
  leave(): void;
  comeBack(): void;
}

interface OpenWindow {
  /** Says now that it is open, and not only in some seconds. */
  again(): void;
  signOff(): Promise<void>;
  /** Its page ends; once it is loaded again, its person is still signed on. */
  close(): void;
}

/** Says again and again that this window is open, until it is closed or its person signs off. */
function openWindow(say: (window: string, isOver: () => boolean) => Promise<void>): OpenWindow {
  const window = [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  let cancel = () => {};
  let over = false;
  let saying: Promise<void> = Promise.resolve();
  const beat = async () => {
    if (over) return;
    cancel();
    saying = say(window, () => over);
    await saying;
    if (!over) cancel = systemClock.after(beatMs, () => void beat());
  };
  const leaving = () => void api.call(closeWindow, { params: { window } }, { keepalive: true }).catch(() => undefined);
  // Not when it is hidden: that comes before a window closes, and would keep its person signed on.
  const onVisible = () => {
    if (document.visibilityState === "visible") void beat();
  };
  document.addEventListener("visibilitychange", onVisible);
  addEventListener("pagehide", leaving);
  void beat();
  return {
    again: () => void beat(),
    async signOff() {
      over = true;
      // One that arrives later would sign on again.
      await saying;
      await api.call(signOff, { params: { window } });
    },
    close() {
      over = true;
      cancel();
      document.removeEventListener("visibilitychange", onVisible);
      removeEventListener("pagehide", leaving);
      leaving();
    },
  };
}

/** Signs the viewer on for as long as the page is open, unless they sign off in it. */
export function useSignOn(): SignOnOfWindow {
  const { t } = useText();
  const [signed, setSigned] = useState<SignedOn>({ state: "waiting", problem: null });
  const [hasLeft, setHasLeft] = useState(false);
  const client = useQueryClient();
  const duty = useOwnDuty().data?.duty?.job.name;
  const readAgain = () => void client.invalidateQueries({ queryKey: [listDispatchers.id] });
  const say = useEffectEvent(async (window: string, isOver: () => boolean) => {
    let next: SignedOn;
    try {
      await api.call(signOn, { params: { window }, body: { hidden: document.visibilityState === "hidden" } });
      next = { state: "on", problem: null };
    } catch (error) {
      const problem = asProblem(error);
      next = { state: problem.code === deskErrors.notOnDuty.code ? "off" : "waiting", problem };
    }
    if (isOver()) return;
    if (next.state !== signed.state) readAgain();
    setSigned((now) => (now.state === next.state && now.problem?.code === next.problem?.code ? now : next));
  });
  const open = useRef<OpenWindow | null>(null);
  useEffect(() => {
    if (hasLeft) return undefined;
    const mine = openWindow(async (window, isOver) => await say(window, isOver));
    open.current = mine;
    return () => {
      open.current = null;
      mine.close();
    };
  }, [hasLeft]);
  const first = useRef(duty);
  useEffect(() => {
    if (first.current !== duty) open.current?.again();
    first.current = duty;
  }, [duty]);
  const leave = async () => {
    const mine = open.current;
    setHasLeft(true);
    setSigned({ state: "left", problem: null });
    try {
      await mine?.signOff();
    } catch (error) {
      showToast({ tone: "danger", title: problemMessage(t, asProblem(error)) });
    }
    readAgain();
  };
  const comeBack = () => {
    setSigned({ state: "waiting", problem: null });
    setHasLeft(false);
  };
  return { signed, leave: () => void leave(), comeBack };
}
