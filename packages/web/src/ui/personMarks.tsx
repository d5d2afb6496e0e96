import { useActiveIdentity } from "#core/abilities.ts";
import { isOffered, type MarkedPerson, useDeclared } from "#core/pages.ts";

/** What features say of a person, beside the name. */
export function PersonMarks(person: MarkedPerson) {
  const identity = useActiveIdentity();
  const { marks } = useDeclared();
  return marks.filter((one) => isOffered(one, identity)).map(({ id, mark: Mark }) => <Mark key={id} {...person} />);
}
