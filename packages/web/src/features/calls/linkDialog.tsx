import { useState } from "react";
import { useText } from "#core/i18n.ts";
import { CallSelect } from "./callSelect.tsx";
import { ChoiceDialog } from "./choiceDialog.tsx";
import { type CallDetail, usePresentCalls } from "./calls.queries.ts";
import { others } from "./merge.ts";
import { useLinking } from "./merging.ts";
import { idOfRef, refOf } from "./ref.ts";

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
  const linked = new Set(call.links.map(({ id }) => id));
  const found = others(call, query.data?.items ?? []).filter(({ id }) => !linked.has(id));
  const number = idOfRef(typed) ?? (chosen === null ? null : Number(chosen));
  const more = number === null || number === call.id || found.some(({ id }) => id === number) ? [] : [number];
  return (
    <ChoiceDialog
      title={t("calls.links.dialog", { ref: refOf(call.id) })}
      nothing={null}
      submit={t("calls.do.link")}
      isChosen={chosen !== null}
      send={async () => await link(call.id, Number(chosen))}
      {...{ query, onClose }}
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
    </ChoiceDialog>
  );
}
