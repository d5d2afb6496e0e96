import { useState } from "react";
import { Button } from "@mantine/core";
import { answerHandOver, withdrawHandOver } from "@rollcall/server/contract/calls";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { Section, TimeAgo } from "#ui/small.tsx";
import type { CallDetail } from "./calls.queries.ts";
import { useAttempt } from "./merging.ts";
import classes from "./calls.module.css";

/** That another job is asked to take the call over, with what the viewer may answer. */
export function HandOver({ call: { id, version, handOver, may } }: { readonly call: CallDetail }) {
  const { t } = useText();
  const attempt = useAttempt();
  const [sending, setSending] = useState(false);
  if (handOver === null) return null;
  const send = async (work: () => Promise<unknown>) => {
    setSending(true);
    await attempt(work);
    setSending(false);
  };
  const answer = async (accept: boolean) =>
    await send(async () => await api.call(answerHandOver, { params: { id }, body: { version, accept } }));
  const { from, to, at, by, unanswered } = handOver;
  return (
    <Section title={t("calls.handOver.section")}>
      <p className={classes["text"]} data-handover>
        {t("calls.handOver.to", { from: from.label, to: to.label })}
        {unanswered && ` ${t("calls.handOver.unanswered")}`}
      </p>
      <p className={classes["quiet"]}>
        {by} <TimeAgo instant={at} />
      </p>
      <div className={classes["actions"]}>
        {may.includes("answerHandOver") && (
          <>
            <Button disabled={sending} onClick={() => void answer(true)}>
              {t("calls.handOver.accept")}
            </Button>
            <Button variant="default" disabled={sending} onClick={() => void answer(false)}>
              {t("calls.handOver.decline")}
            </Button>
          </>
        )}
        {may.includes("handOver") && (
          <Button
            variant="default"
            disabled={sending}
            onClick={() => void send(async () => await api.call(withdrawHandOver, { params: { id }, body: { version } }))}
          >
            {t("calls.handOver.withdraw")}
          </Button>
        )}
      </div>
    </Section>
  );
}
