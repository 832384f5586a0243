/**
 * The words that offices give their mailboxes, by function, in the languages the internet writes most in. Written by
 * hand. A hyphen joins words that are also written with another separator or with none. Letters with accents are
 * listed with them; the spellings without are derived. No word here is a common given name or surname: see the names
 * in `eval/role-email`, and `not-roles.ts` for what was left out on purpose.
 *
 * RFC 2142 names abuse, noc, security, postmaster, hostmaster, usenet, news, webmaster, www, uucp, ftp, info,
 * marketing, sales and support.
 */
export const ROLE_WORDS: Readonly<Record<string, string>> = {
  abuse: 'abuse spam anti-spam spam-trap phish phishing fraud scam',
  security: `
    security infosec it-security csirt psirt vulnerability responsible-disclosure seguridad
    seguranca sicherheit trust-and-safety`,
  privacy: `
    privacy dpo gdpr rgpd dsgvo lgpd datenschutz datenschutzbeauftragter data-protection privacidad
    privacidade confidentialité integritet`,
  postmaster: `
    postmaster mailer-daemon mail-daemon mailer mailadmin mailmaster mailhost exim postfix sendmail
    smtp bounce bounces return-path`,
  webmaster: `
    web-master webmestre webadmin web www website webteam webdesign webdev webredaktion homepage
    вебмастер`,
  hostmaster: `
    hostmaster dns dns-admin domain domains domain-admin domainmaster hostinfo hosting whois
    registrar nameserver`,
  network: 'noc inoc network networking netops netadmin usenet nntp uucp',
  system: `
    root sys-admin sysop sysadmins system systems sysadm daemon nobody cron backup backups server
    servers ftp ftpadmin www-data dev-null monitor monitoring nagios zabbix alert alerts alarm
    alarms operator superuser`,
  admin: `
    admin admins administrator administrators administration superadmin administrador administración
    administrativo administração administratie administratif administrateur amministrazione
    amministratore verwaltung hallinto administracja administrace administrasjon yönetim
    administratsiya админ администратор администрация ssl-admin sslwebmaster domainadministrator`,
  info: `
    info infos information informations información informação informações informazioni informatie
    informasjon informace informacja informacje infodesk infoline infomail infopoint
    information-desk moreinfo bilgi инфо информация πληροφορίες معلومات`,
  contact: `
    contact contacts contact-us contactme contacto contato contatto contatti contattaci contactez
    contactez-nous contactenos kontakt kontakta kontakty get-in-touch iletişim yhteystiedot контакт
    контакты kapcsolat lienhe`,
  enquiries: `
    enquiries enquiry enquire enquires inquiries inquiry anfrage anfragen consultas richieste
    demandes zapytania dotazy questions preguntas fragen toiawase otoiawase 問い合わせ お問い合わせ 문의 zapytanie
    dotaz`,
  support: `
    support supports help help-desk help-line service-desk service services tech technical
    tech-support technical-support suporte soporte assistance assistenza asistencia assistência
    hilfe hjælp hjälp hjelp tuki apua pomoc podpora podderzhka tekhpodderzhka destek teknik-destek
    yardım ayuda supporto supportteam klantenservice klantendienst kunden-service kundendienst
    kundenbetreuung kundeservice kundservice kundtjänst asiakaspalvelu obsługa-klienta
    zákaznický-servis müşteri-hizmetleri customer-service customer-services customer-care
    customer-support customer-success customer-relations custserv client-services client-care
    client-support service-client servicio-al-cliente atención-al-cliente atencionalcliente
    atención-cliente atendimento atendimento-ao-cliente servizio-clienti assistenza-clienti
    user-support ticket tickets troubleshooting kefu поддержка техподдержка помощь 客服 服务 サポート
    mesa-de-ayuda service-clients relation-client ouvidoria hotline kundencenter service-center
    kundsupport ügyfélszolgálat suport podrška hotro layanan bantuan serwis servis teknik-servis
    neuvonta підтримка 고객센터 دعم warranty repairs pós-venda postventa servicio-técnico suporte-técnico
    assistência-técnica assistenza-tecnica ufficio-tecnico kundesenter`,
  sales: `
    sales salesteam pre-sales ventes vente ventas vendas vendite vertrieb verkauf verkoop sprzedaż
    försäljning salg myynti prodej obchodní satış prodazhi otdel-prodazh commercial comercial
    commerciale eigyo eigyou xiaoshou продажи отдел-продаж 销售 営業 értékesítés vânzări prodaja
    dział-handlowy kinhdoanh penjualan mercadeo продажби продажі 영업 مبيعات πωλήσεις export exports
    import imports obchod sales-and-marketing`,
  orders: `
    order orders ordering bestellung bestellungen bestellservice pedido pedidos encomendas commande
    commandes ordini bestelling bestellingen beställning tilaus tilaukset objednávka objednávky
    zamówienie zamówienia sipariş zakaz zakazy comenzi shop web-shop online-shop e-shop store tienda
    loja negozio butik sklep заказ заказы магазин rendelés megrendelés narudžbe angebot angebote
    auftrag aufträge preventivi offerte offertes ordre zayavka zayavki webwinkel магазины boutique
    poptávka oferty orçamento orçamentos porudžbine`,
  billing: `
    billing invoice invoices invoicing rechnung rechnungen rechnungseingang factura facturas
    facturación facturation facture factures fattura fatture fatturazione fatura faturas faturamento
    faktura faktury fakturace fakturering fakturor facturen facturatie laskutus payment payments
    paiement paiements pagos pagamento pagamentos pagamenti zahlung zahlungen betaling betalingen
    platby płatności ödeme accounts-payable accounts-receivable collections remittance receipts
    refunds returns debitoren kreditoren inkasso mahnung оплата счета nfe cobrança cobranza
    cobranzas számlázás facturare ostolaskut crediteuren debiteuren lohnbuchhaltung cobros`,
  accounting: `
    accounting accounts accountancy bookkeeping buchhaltung rechnungswesen comptabilité compta
    contabilidad contabilidade contabilità contabil boekhouding bogholderi bokföring regnskap
    kirjanpito księgowość účetní účtárna účetnictví muhasebe buhgalteria buhgalteriya bukhgalteria
    finance finances finanzen finanzas finanças financeiro financien ekonomi talous finanse treasury
    tesorería audit payroll tax taxes steuern keiri caiwu бухгалтерия финансы 财务 経理 contabilitate
    računovodstvo pénzügy ketoan keuangan glavbuh бухгалтерія financieel`,
  hr: `
    hr human-resources hr-dept personnel personalabteilung rh recursos-humanos rrhh
    ressources-humaines risorse-umane personeelszaken otdel-kadrov insan-kaynakları henkilöstö jinji
    renshi кадры отдел-кадров 人事 hrd talento-humano resurse-umane`,
  jobs: `
    jobs job careers career karriere carrière carrières carriere kariera kariyer kariéra empleo
    empleos emprego empregos trabajo lavoro lavora-con-noi bewerbung bewerbungen candidature
    candidatures candidatura candidaturas recrutement recruitment recruiting recruiter recruiters
    recruit recrutamento reclutamiento selección vacatures vacature vacancies vacancy vacantes
    rekrytering rekruttering rekrytointi rekrutacja vakansii hiring talent talents resume resumes
    lebenslauf curriculum ausbildung employment internship internships applications job-application
    saiyo saiyou zhaopin работа вакансии 招聘 採用 tuyendung rekrutmen 채용 rekry vagas currículos
    vakansije angajări`,
  marketing: `
    marketing mkt mktg marketingteam advertising advertise ads advert adverts werbung publicidad
    publicidade publicité pubblicità reklama promo promotion promotions campaign campaigns
    social-media affiliate affiliates partner partners partnership partnerships sponsorship
    sponsorships sponsors branding communication communications comms comunicación comunicaciones
    comunicação comunicazione kommunikation communicatie viestintä markkinointi markedsføring
    marknad pazarlama business-development bizdev outreach маркетинг реклама mercadotecnia pemasaran
    partenariat partenariats humas`,
  press: `
    press presse prensa imprensa media pr public-relations press-office pressestelle pressekontakt
    media-relations ufficio-stampa kouhou пресса 広報`,
  newsletter: `
    newsletter newsletters news mailing mailings mailing-list mailinglists subscribe unsubscribe
    subscription subscriptions digest enews ezine bulletin bulletins listserv listserver majordomo
    listmaster announce announcements update updates boletín boletim rundbrief nieuwsbrief
    nyhedsbrev nyhetsbrev uutiskirje infolettre рассылка новости`,
  'no-reply': `
    no-reply do-not-reply dont-reply no-response auto-reply auto-responder automailer automated
    notification notifications notify notifier notificaciones notificações benachrichtigung`,
  office: `
    office offices front-office back-office head-office main-office front-desk reception
    receptionist rezeption empfang recepción recepção recepcja receptie recepce resepsiyon uketsuke
    büro biuro kontor kontoret toimisto kancelář kancelaria ufficio oficina escritório secretaria
    secretaría secretariat secrétariat secretariado segreteria sekretariat sekretariatet
    sekretariaat secretariaat sekreterlik secretary ofis zentrale centrale accueil mairie rathaus
    gemeinde praxis kanzlei firmapost postbox mailbox mail e-mail mailroom correo pochta priemnaya
    soumu jimukyoku офис почта приемная приёмная секретарь 総務 事務局 postmottak poststelle posteingang
    kirjaamo podatelna epodatelna titkárság birou tajništvo ured pisarna kansli kansliet sekretar
    γραμματεία pfarramt pfarrbüro stadtverwaltung notariat feuerwehr`,
  management: `
    management mgmt direction dirección direção direzione diretoria gerencia geschäftsleitung
    geschäftsführung leitung vorstand bestuur directie styrelsen bestyrelsen zarząd vedení board
    board-of-directors director directors executive executives exec execs leadership ceo cfo cto coo
    cmo cio founder founders owner owners president presidente presidencia chairman manager managers
    general-manager gerente coordinación coordenação uprava styrelse dyrekcja dyrektor prezes ředitel
    hallitus styret`,
  purchasing: `
    purchasing purchase purchases procurement einkauf achats achat compras acquisti inkoop inköp
    indkøb innkjøp osto ostot zakupy nákup satınalma zakupki snabzhenie vendor vendors supplier
    suppliers proveedores fornecedores fornitori suprimentos закупки nabava lieferanten tender
    tenders`,
  logistics: `
    logistics logística logistique logistik logistiek shipping versand envíos delivery lieferung
    livraison spedizioni warehouse almacén magazzino transport dispatch fulfillment fulfilment kargo
    sklad wysyłka doprava склад логистика expedição dostavka lojistik`,
  legal: `
    legal compliance copyright dmca trademark trademarks jurídico juridique rechtsabteilung
    ufficio-legale hukuk contracts licensing complaints complaint reclamos reclamaciones
    réclamations beschwerde beschwerden reklamation reklamationen reklamace reclami klachten
    ombudsman reklamacje`,
  booking: `
    booking bookings reservation reservations reservierung reservierungen réservation réservations
    reserva reservas reservaciones prenotazioni prenotazione reservering reserveringen bokning
    rezervace rezervacje rezervari rezervasyon varaukset bronirovanie event events eventos
    événements veranstaltungen rsvp registration registrations register anmeldung inscription
    inscriptions inscripciones inscrições iscrizioni appointment appointments termine citas turnos
    bestillinger бронирование rezerwacje rezervacije ajanvaraus terminvergabe billetterie
    inschrijving ticketing weddings`,
  it: `
    it it-support it-help it-dept edv informatik informática informatique sistemas tecnología
    technology technik techteam engineering engineers developers devs devteam devops`,
  quality: 'qa quality quality-assurance quality-control qualidade calidad qualité qualität kvalita',
  education: `
    admissions admission enrollment enrolment bursar faculty alumni library biblioteca bibliothek
    bibliothèque registry`,
  editorial: `
    editor editors editorial redaktion redactie redaction rédaction redacción redação redazione
    redakcja redakce toimitus redaktsiya letters submissions редакция tips newsdesk tiedotus`,
  feedback: 'feedback suggestions comments survey surveys reviews bugs bug-report report reports reporting',
  team: 'team staff everyone everybody all-staff all-users all-employees all-hands equipe équipe equipo',
  membership: `
    members membership memberships mitglieder mitgliederservice membres volunteer volunteers
    volunteering donations donation donate fundraising spenden donaciones penningmeester
    ledenadministratie vrijwilligers medlem kassenwart kasserer adhérents adhésion bénévolat`,
  investors: 'investor investors investor-relations shareholders',
  projects: `
    product products project projects program programs design designers development analytics
    strategy innovation`,
  training: `
    training academy education course courses workshop workshops webinar webinars conference
    conferences formation formations seminar seminare schulung schulungen`,
  customers: 'customer customers client clients clientes account account-manager key-account',
  benefits: 'benefits expenses insurance catering',
  operations: `
    operations ops operaciones production produktion producción produção facilities maintenance
    wartung mantenimiento manutenção werkstatt officina taller vermietung hausverwaltung verhuur
    housekeeping`,
};

/** Words that stand for a function only when nothing stands beside them: `post@` is an office, `emily-post@` is not. */
export const LONE_ROLE_WORDS: Readonly<Record<string, string>> = {
  contact: 'hello hi hola hallo hej hei bonjour salut hey ahoj merhaba welcome willkommen привет',
  office: 'post',
  nobody: 'null none noemail no-email nospam no-spam anonymous anon undisclosed-recipients',
  everyone: 'all users employee employees residents',
  test: 'test testing demo',
  system: 'robot bot',
  newsletter: 'list lists listadmin mailman remove',
  service: `
    agence agencia boxoffice box-office broadcast busdev claims estimates estimating quote
    realestate real-estate releases rentals research restaurant serviceadmin trouble`,
};

/** Words that say which desk of a function is meant, and nothing alone: `sales-emea`, `support-team`, `info.de`. */
export const QUALIFIERS: ReadonlySet<string> = new Set(
  [
    'team teams dept department office group desk center centre the our all main general global international national',
    'local regional online web digital customer customers client clients user users public internal external corporate',
    'company business hotel school clinic studio hospital university college request requests new old prod dev test staging north south east west hq ii iii',
    'and und et',
    'emea apac latam amer europe america asia africa',
    'us uk gb eu de fr es nl be at ch pl pt br mx ca au nz in jp cn sg ae za dk se no fi ie ru ua cz sk hu ro bg gr rs si lt lv ee tr kr hk it',
    'usa germany deutschland france spain españa italy italia canada mexico brasil brazil india china japan australia',
    'austria schweiz switzerland poland polska london berlin hamburg munich münchen muenchen köln koeln frankfurt wien',
    'vienna zürich zurich zuerich geneva madrid barcelona lisboa milano roma paris lyon amsterdam brussels copenhagen oslo',
    'stockholm helsinki warszawa praha budapest dublin moscow istanbul dubai singapore tokyo shanghai beijing mumbai',
    'delhi bangalore toronto montreal nyc newyork chicago boston seattle',
  ].flatMap((line) => line.split(' ')),
);
