/**
 * Entries of the package `role-based-email-addresses` that fail nobody here, by the reason. The package gathers
 * what mailing lists met; many entries are people, or words that people call themselves or their mailboxes.
 */
export const NOT_ROLES: Readonly<Record<string, string>> = {
  'given names': `
    alexa alla alle alpha alphas angels arin ask beta berlin boston chicago china denver dev france
    india mentor paris per reg sem success sydney`,
  surnames: `
    bills brand church contador crew eng english fellows gardner head heads house links mayor
    merchant pastor prime sale seo stay tour work`,
  'what a person is or calls themselves': `
    captain captains chef coach expert friends family geeks hackers ladies master rockstars seniors
    user women dreamteam ateam tribe squad`,
  'initials of a person': 'ap bd ca cm cs csm gm ir la lt md mt no ny pd pm sdr se sf sfo ta uk us ux',
  'an address that a person made for one service or one use': `
    adwords android apple caltrain digsitesvalue facebook ifttt instagram ios iphone itunes jira
    lifesum myplex namecheap paypal plex plex.tv salesforce shopify stripe twitter wordpress junk
    mobile`,
  'places and words that name no function': `
    available class cloud code com compete core cultura culture europe express food football fun
    home homes ideas latam launch learn learning lunch montreal music newyork northamerica notes nyc
    offtopic ooo photos portfolio random sanfrancisco science search seattle singapore smile sos
    sport stockholm stories study time tools usa watercooler`,
  'keys struck at random, and years': `
    123 2015 2016 2017 2018 2019 2020 2021 2022 2023 2024 2025 2026 2027 2028 2029 2030 aaa abc asd
    asdasd asdf`,
};
