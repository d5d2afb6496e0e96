import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { beatMs, deskErrors, deskTopic, listDispatchers, signOff, signOn } from "@rollcall/server/contract/desk";
import { systemClock } from "#core/clock.ts";
import { asProblem, type Problem } from "#core/problem.ts";
import { queryOf } from "#core/queries.ts";
import { useFollow } from "#core/realtime/lists.ts";
import { api } from "#core/services.ts";
import { useOwnDuty } from "#features/duty/duty.api.ts";

/** Who is signed on in the own job, and in those that work its calls, with live changes. */
export function useDispatchers() {
  useFollow(deskTopic);
  return useQuery(queryOf(listDispatchers, {}));
}

const newWindow = () =>
  [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** `off`: not on duty, and without the right to dispatch without. */
export type SignedOn = { readonly state: "waiting" | "on" | "off"; readonly problem: Problem | null };

/** Signs the viewer on for as long as the page is open. */
export function useSignOn(): SignedOn {
  const [signed, setSigned] = useState<SignedOn>({ state: "waiting", problem: null });
  const client = useQueryClient();
  const duty = useOwnDuty().data?.duty?.job.name;
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
    if (next.state !== signed.state) void client.invalidateQueries({ queryKey: [listDispatchers.id] });
    setSigned((now) => (now.state === next.state && now.problem?.code === next.problem?.code ? now : next));
  });
  const again = useRef<() => void>(() => undefined);
  useEffect(() => {
    const window = newWindow();
    let cancel = () => {};
    let over = false;
    const beat = async () => {
      cancel();
      await say(window, () => over);
      if (!over) cancel = systemClock.after(beatMs, () => void beat());
    };
    const end = () => void api.call(signOff, { params: { window } }).catch(() => undefined);
    again.current = () => void beat();
    // Not when it is hidden: that comes before a window closes, and would keep its person signed on.
    const onVisible = () => {
      if (document.visibilityState === "visible") again.current();
    };
    again.current();
    document.addEventListener("visibilitychange", onVisible);
    addEventListener("pagehide", end);
    return () => {
      over = true;
      again.current = () => undefined;
      cancel();
      document.removeEventListener("visibilitychange", onVisible);
      removeEventListener("pagehide", end);
      end();
    };
  }, []);
  const first = useRef(duty);
  useEffect(() => {
    if (first.current !== duty) again.current();
    first.current = duty;
  }, [duty]);
  return signed;
}
