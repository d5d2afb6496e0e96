import { useQueryClient } from "@tanstack/react-query";
import { handBack } from "@rollcall/server/contract/assignments";
import contract from "virtual:form/assignments/handBack";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { ConfirmReason } from "#ui/confirmReason.tsx";
import { readAgain, type UnitOnCall } from "./assignments.queries.ts";

export interface HandBackDialogProps {
  readonly on: UnitOnCall;
  onDone(): void;
  onClose(): void;
}

/** Hands a call back, for a reason that its timeline shows. */
export default function HandBackDialog({ on: { id, version, unit }, onDone, onClose }: HandBackDialogProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const give = async (reason: string) => {
    try {
      await api.call(handBack, { params: { id }, body: { version, reason } });
    } finally {
      await readAgain(queries);
    }
  };
  return (
    <ConfirmReason
      question={{
        title: t("assignments.handBack.title"),
        text: t("assignments.handBack.text", { unit: unit.name }),
        yes: t("assignments.do.handBack"),
      }}
      contract={contract}
      label={t("assignments.handBack.reason")}
      onYes={give}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
