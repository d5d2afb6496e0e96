import contract from "virtual:form/absences/decideAbsence";
import type { FormContract } from "#core/forms/contract.ts";
import { useText } from "#core/i18n.ts";
import { ConfirmReason } from "#ui/confirmReason.tsx";

export interface DeclineDialogProps {
  /** Of the absence. */
  readonly id: number;
  readonly name: string;
  readonly most: number;
  onYes(reason: string): Promise<unknown>;
  onClose(): void;
}

/** Declines an absence, for a reason that its person reads. */
export default function DeclineDialog({ id, name, most, onYes, onClose }: DeclineDialogProps) {
  const { t } = useText();
  // An approval needs no reason, so the contract of the operation does not require it.
  const declining: FormContract = {
    ...contract,
    schema: { type: "object", properties: { reason: { type: "string", minLength: 1, maxLength: most } }, required: ["reason"] },
  };
  return (
    <ConfirmReason
      question={{
        title: t("absences.decline.title"),
        text: t("absences.decline.text", { name }),
        yes: t("absences.waiting.decline"),
      }}
      contract={declining}
      label={t("absences.decline.reason")}
      draft={`absence.refusal.${id}`}
      onYes={onYes}
      onClose={onClose}
    />
  );
}
