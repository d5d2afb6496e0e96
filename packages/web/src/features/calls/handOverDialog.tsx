import { useState } from "react";
import { Button, Select } from "@mantine/core";
import { handOverCall } from "@rollcall/server/contract/calls";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { type Call, useCallable } from "./calls.queries.ts";
import { jobsToAsk } from "./handOverTo.ts";
import { useAttempt } from "./merging.ts";
import classes from "./calls.module.css";

export interface HandOverDialogProps {
  readonly call: Pick<Call, "id" | "version" | "jobs">;
  onClose(): void;
}

/** Asks another job to take a call over. */
export default function HandOverDialog({ call: { id, version, jobs }, onClose }: HandOverDialogProps) {
  const { t } = useText();
  const attempt = useAttempt();
  const query = useCallable();
  const [chosen, setChosen] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const own = useActiveIdentity().character.job.name;
  const options = jobsToAsk(own, jobs, query.data?.items ?? []);
  const send = async () => {
    if (chosen === null || sending) return;
    setSending(true);
    const done = await attempt(async () => await api.call(handOverCall, { params: { id }, body: { version, job: chosen } }));
    setSending(false);
    if (done !== null) onClose();
  };
  return (
    <Dialog title={t("calls.handOver.title", { ref: `DSP-${id}` })} onClose={onClose}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["70%", "40%"]} />}
      {query.isSuccess && options.length === 0 && <p>{t("calls.handOver.none")}</p>}
      {options.length > 0 && (
        <form
          className={classes["form"]}
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          <Select
            label={t("calls.handOver.job")}
            description={t("calls.handOver.hint")}
            data={options}
            value={chosen}
            searchable
            data-autofocus
            nothingFoundMessage={t("calls.handOver.noneFound")}
            onChange={setChosen}
          />
          <div className={classes["actions"]}>
            <Button type="submit" disabled={chosen === null} loading={sending}>
              {t("calls.do.handOver")}
            </Button>
            <Button variant="subtle" onClick={onClose}>
              {t("web.cancel")}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
