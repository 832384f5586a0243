/**
 * Privacy relays: forwarding addresses that need an account with a permanent inbox behind it. Written by
 * hand from what the services say of themselves; several public lists call them disposable, wrongly.
 * Services that hand out addresses without such an account are not here, whatever they call themselves.
 */
export const RELAYS = `
  # Apple: Sign in with Apple, and Hide My Email of iCloud+
  privaterelay.appleid.com private.icloud.com
  # DuckDuckGo Email Protection, Mozilla’s Firefox Relay
  duck.com mozmail.com relay.firefox.com
  # SimpleLogin, and Proton Pass which runs on it
  simplelogin.com simplelogin.co simplelogin.io simplelogin.fr simplelogin.net simplelogin.me slmail.me slmails.com
  aleeas.com silomails.com sl.email 8alias.com 8shield.net dralias.com
  passmail.com passmail.net passinbox.com passfwd.com
  # addy.io, formerly AnonAddy
  addy.io anonaddy.com anonaddy.me addymail.com mailer.me 4wrd.cc mailshield.app
  # Cloaked, IronVest, EmailAlias
  cloaked.app cloaked.id ironvest.com emailalias.io
`;
