import { useState } from "react";
import { Select } from "@mantine/core";
import { handOverCall } from "@rollcall/server/contract/calls";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { type Call, useCallable } from "./calls.queries.ts";
import { ChoiceDialog } from "./choiceDialog.tsx";
import { jobsToAsk } from "./handOverTo.ts";
import { useAttempt } from "./merging.ts";
import { refOf } from "./ref.ts";

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
  const own = useActiveIdentity().character.job.name;
  const options = jobsToAsk(own, jobs, query.data?.items ?? []);
  const send = async () => {
    if (chosen === null) return false;
    return (await attempt(async () => await api.call(handOverCall, { params: { id }, body: { version, job: chosen } }))) !== null;
  };
  return (
    <ChoiceDialog
      title={t("calls.handOver.title", { ref: refOf(id) })}
      nothing={options.length === 0 ? t("calls.handOver.none") : null}
      submit={t("calls.do.handOver")}
      isChosen={chosen !== null}
      {...{ query, send, onClose }}
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
    </ChoiceDialog>
  );
}
