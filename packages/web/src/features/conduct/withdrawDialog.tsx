import { useQueryClient } from "@tanstack/react-query";
import { withdrawEntry } from "@rollcall/server/contract/conduct";
import contract from "virtual:form/conduct/withdrawEntry";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { useNamer } from "#features/colleagues/colleagues.api.ts";
import { ConfirmReason } from "#ui/confirmReason.tsx";
import { type ConductEntry, readAgain } from "./conduct.queries.ts";

export interface WithdrawDialogProps {
  readonly entry: ConductEntry;
  onClose(): void;
}

/** Withdraws an entry, for a reason that its person reads. */
export default function WithdrawDialog({ entry: { id, version, citizen }, onClose }: WithdrawDialogProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const name = useNamer()(citizen, citizen.job.name);
  const withdraw = async (reason: string) => {
    try {
      await api.call(withdrawEntry, { params: { id }, body: { version, reason } });
    } finally {
      readAgain(queries);
    }
  };
  return (
    <ConfirmReason
      question={{
        title: t("conduct.withdraw.title"),
        text: t("conduct.withdraw.text", { name }),
        yes: t("conduct.do.withdraw"),
      }}
      contract={contract}
      label={t("conduct.withdraw.reason")}
      draft={`conduct.withdrawal.${id}`}
      onYes={withdraw}
      onClose={onClose}
    />
  );
}
