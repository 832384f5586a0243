/**
 * Domains of companies, sites and institutions that sources have named or could name by mistake, written by hand.
 * The large senders are here so that a poisoned source cannot reach them either.
 */
export const ORDINARY_SENDERS = `
  # Seen in public lists of disposable domains, wrongly
  facebookmail.com craigslist.org afternic.com blogs.com typepad.com asics.com angi.com samsung.com swatch.com
  feedspot.com gide.com lendscape.com ubicloud.com wizard.com nextag.com mamba.ru icon.foundation com.com aver.com
  mbta.org eure.fr cdc-oleron.fr belt.io manybrain.com
  # Forwarders whose own staff write from the name; a university off the usual suffixes
  improvmx.com lsmu.com
  # Large sites and senders
  facebook.com meta.com instagram.com whatsapp.com linkedin.com twitter.com x.com reddit.com tiktok.com pinterest.com snapchat.com
  amazon.com amazon.co.uk amazon.de amazon.fr amazon.it amazon.es amazon.co.jp amazon.in amazon.ca amazon.com.au amazon.com.br
  ebay.com ebay.co.uk ebay.de paypal.com stripe.com shopify.com etsy.com walmart.com target.com bestbuy.com homedepot.com costco.com
  netflix.com spotify.com disney.com hulu.com twitch.tv youtube.com steampowered.com epicgames.com nintendo.com playstation.com
  github.com gitlab.com bitbucket.org atlassian.com slack.com zoom.us dropbox.com box.com notion.so figma.com canva.com adobe.com
  salesforce.com hubspot.com mailchimp.com sendgrid.com twilio.com intercom.com zendesk.com oracle.com ibm.com sap.com intel.com
  nvidia.com amd.com cisco.com dell.com hp.com lenovo.com sony.com lg.com huawei.com xiaomi.com asus.com acer.com
  wikipedia.org wikimedia.org mozilla.org archive.org apache.org debian.org ubuntu.com redhat.com canonical.com kernel.org
  cloudflare.com akamai.com fastly.com digitalocean.com linode.com ovh.com hetzner.com godaddy.com namecheap.com
  wordpress.com wordpress.org automattic.com squarespace.com wix.com weebly.com medium.com substack.com tumblr.com blogger.com
  booking.com airbnb.com expedia.com tripadvisor.com uber.com lyft.com doordash.com grubhub.com deliveroo.co.uk
  ups.com fedex.com dhl.com dhl.de usps.com royalmail.com
  # Banks
  chase.com jpmorgan.com bankofamerica.com wellsfargo.com citi.com citibank.com usbank.com capitalone.com americanexpress.com
  goldmansachs.com morganstanley.com schwab.com fidelity.com vanguard.com discover.com pnc.com truist.com hsbc.com hsbc.co.uk
  barclays.com barclays.co.uk lloydsbank.co.uk natwest.com santander.com santander.co.uk bbva.com caixabank.es ing.com ing.nl
  rabobank.nl abnamro.nl deutsche-bank.de commerzbank.de sparkasse.de n26.com revolut.com wise.com monzo.com starlingbank.com
  ubs.com credit-suisse.com raiffeisen.ch postfinance.ch bnpparibas.com socgen.com societegenerale.fr credit-agricole.fr
  labanquepostale.fr unicredit.it intesasanpaolo.com nordea.com danskebank.dk seb.se swedbank.se handelsbanken.se dnb.no
  rbc.com td.com scotiabank.com bmo.com cibc.com commbank.com.au westpac.com.au anz.com nab.com.au
  itau.com.br bradesco.com.br bb.com.br nubank.com.br sberbank.ru vtb.ru tinkoff.ru alfabank.ru icici.com icicibank.com hdfcbank.com
  sbi.co.in axisbank.com kotak.com dbs.com ocbc.com uob.com.sg mufg.jp smbc.co.jp mizuhobank.co.jp
  # News
  nytimes.com washingtonpost.com wsj.com ft.com economist.com bloomberg.com reuters.com apnews.com bbc.com bbc.co.uk theguardian.com
  telegraph.co.uk thetimes.co.uk lemonde.fr lefigaro.fr spiegel.de zeit.de faz.net sueddeutsche.de elpais.com elmundo.es corriere.it
  repubblica.it cnn.com nbcnews.com cbsnews.com abcnews.go.com foxnews.com usatoday.com latimes.com npr.org
`;
