import { useState } from "react";
import { Button } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { CallSelect } from "./callSelect.tsx";
import { type CallDetail, usePresentCalls } from "./calls.queries.ts";
import { numberOf, others } from "./merge.ts";
import { useLinking } from "./merging.ts";
import classes from "./calls.module.css";

export interface LinkDialogProps {
  readonly call: CallDetail;
  onClose(): void;
}

/** Links a call with a present one, or with any that has a number. */
export default function LinkDialog({ call, onClose }: LinkDialogProps) {
  const { t } = useText();
  const { link } = useLinking();
  const query = usePresentCalls();
  const [chosen, setChosen] = useState<string | null>(null);
  const [typed, setTyped] = useState("");
  const [sending, setSending] = useState(false);
  const linked = new Set(call.links.map(({ id }) => id));
  const found = others(call, query.data?.items ?? []).filter(({ id }) => !linked.has(id));
  const number = numberOf(typed) ?? (chosen === null ? null : Number(chosen));
  const more = number === null || number === call.id || found.some(({ id }) => id === number) ? [] : [number];
  const send = async () => {
    if (chosen === null || sending) return;
    setSending(true);
    const done = await link(call.id, Number(chosen));
    setSending(false);
    if (done) onClose();
  };
  return (
    <Dialog title={t("calls.links.dialog", { ref: `DSP-${call.id}` })} onClose={onClose}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["70%", "40%"]} />}
      {query.isSuccess && (
        <form
          className={classes["form"]}
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          <CallSelect
            call={call}
            others={found}
            more={more}
            label={t("calls.links.other")}
            description={t("calls.links.hint")}
            nothingFoundMessage={t("calls.links.noneFound")}
            value={chosen}
            onChange={setChosen}
            onTyped={setTyped}
          />
          <div className={classes["actions"]}>
            <Button type="submit" disabled={chosen === null} loading={sending}>
              {t("calls.do.link")}
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
