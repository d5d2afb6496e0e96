/** The account's connections to external providers, on the account page. */
export default function Connections() {
  return null;
}
