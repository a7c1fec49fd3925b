import { parse } from 'csv-parse/sync';

/**
 * First lines that programs write, each with the cells of one person after `=`, who is Ann Lee,
 * ann@example.com.
 */
const LISTS = `
Outlook in English: Title,First Name=Ann,Middle Name,Last Name=Lee,Suffix,Company=Acme,Department,Job Title,Business Street,Business Street 2,Business Street 3,Business City,Business State,Business Postal Code,Business Country/Region,Home Street,Home Street 2,Home Street 3,Home City,Home State,Home Postal Code,Home Country/Region,Other Street,Other Street 2,Other Street 3,Other City,Other State,Other Postal Code,Other Country/Region,Assistant's Phone,Business Fax,Business Phone,Business Phone 2,Callback,Car Phone,Company Main Phone,Home Fax,Home Phone,Home Phone 2,ISDN,Mobile Phone,Other Fax,Other Phone,Pager,Primary Phone,Radio Phone,TTY/TDD Phone,Telex,Account,Anniversary=0/0/00,Assistant's Name,Billing Information,Birthday=0/0/00,Business Address PO Box,Categories,Children,Directory Server,E-mail Address=ann@example.com,E-mail Type=SMTP,E-mail Display Name=Ann Lee (ann@example.com),E-mail 2 Address=lee@example.org,E-mail 2 Type=SMTP,E-mail 2 Display Name,E-mail 3 Address,E-mail 3 Type,E-mail 3 Display Name,Gender=Unspecified,Government ID Number,Hobby,Home Address PO Box,Initials=A.L.,Internet Free Busy,Keywords,Language,Location,Manager's Name=Eve Drake,Mileage,Notes,Office Location,Organizational ID Number,Other Address PO Box,Priority=Normal,Private=False,Profession,Referred By,Sensitivity=Normal,Spouse,User 1,User 2,User 3,User 4,Web Page
Outlook with Exchange: First Name=Ann,Last Name=Lee,E-mail Address=/o=ExchangeLabs/cn=ann,E-mail Type=EX,E-mail Display Name=Ann Lee,E-mail 2 Address=ann@example.com,E-mail 2 Type=SMTP
Outlook in German: Anrede=Frau,Vorname=Ann,Weitere Vornamen,Nachname=Lee,Suffix,Firma,Abteilung,Position,Straße geschäftlich,Ort geschäftlich,Telefon geschäftlich,E-Mail-Adresse,E-Mail-Typ,E-Mail: Angezeigter Name,E-Mail 2: Adresse=ann@example.com,E-Mail 2: Typ=SMTP,E-Mail 2: Angezeigter Name=Ann Lee (ann@example.com),E-Mail 3: Adresse,Empfohlen von,Geburtstag=0.0.00,Name des/der Vorgesetzten=Eve Drake
Outlook in French: Titre=Mme,Prénom=Ann,Deuxième prénom,Nom=Lee,Suffixe,Surnom,Société,Service,Téléphone (bureau),Adresse de messagerie=ann@example.com,Type de messagerie=SMTP,Nom complet de l'adresse de messagerie=Ann Lee (ann@example.com),Adresse de messagerie 2,Type de messagerie 2,Nom de l'assistant(e)=Eve
Outlook in Spanish: Title,Nombre=Ann,Segundo nombre,Apellidos=Lee,Suffix,Organización,Puesto,Calle del trabajo,E-mail Address,E-mail Type,Nombre de pantalla de correo electrónico,Dirección de correo electrónico 2=ann@example.com,Tipo de correo electrónico 2=SMTP,Nombre del director=Eve
Outlook in Italian: Titolo,Nome=Ann,Secondo nome,Cognome=Lee,Titolo straniero,Società,Via (uff.),Nome assistente=Eve,Nome coniuge/partner,Indirizzo posta elettronica=ann@example.com,Tipo posta elettronica=SMTP,Nome visualizzato posta elettronica=Ann Lee (ann@example.com),Indirizzo posta elettronica 2
Outlook in Dutch: Titel,Voornaam=Ann,Middelste naam,Achternaam=Lee,Achtervoegsel,Bedrijf,Telefoon op werk,E-mailadres=ann@example.com,E-mailtype=SMTP,Weergavenaam voor e-mail=Ann Lee (ann@example.com),E-mailadres 2,"E-mail, weergegeven naam 2",Naam assistent=Eve,Naam manager
Google Contacts: First Name=Ann,Middle Name,Last Name=Lee,Phonetic First Name,Phonetic Middle Name,Phonetic Last Name,Name Prefix,Name Suffix,Nickname=Annie,File As,Organization Name=Acme,Organization Title,Organization Department,Birthday,Notes,Photo=https://example.com/a,Labels=* myContacts,E-mail 1 - Label=* Home,E-mail 1 - Value=ann@example.com ::: lee@example.org,E-mail 2 - Label,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value
Google Contacts before 2024: Name=Ann Lee,Given Name=Ann,Additional Name,Family Name=Lee,Yomi Name,Given Name Yomi,Additional Name Yomi,Family Name Yomi,Name Prefix,Name Suffix,Initials,Nickname,Short Name,Maiden Name,Birthday,Group Membership=* myContacts,E-mail 1 - Type=* Home,E-mail 1 - Value=ann@example.com,Phone 1 - Type,Phone 1 - Value,Organization 1 - Name=Acme
Google Workspace: First Name [Required]=Ann,Last Name [Required]=Lee,Email Address [Required]=ann@example.com,Password [Required],Org Unit Path [Required]=/,New Primary Email [UPLOAD ONLY],Recovery Email=lee@example.org,Manager Email=eve@example.com
Thunderbird: First Name=Ann,Last Name=Lee,Display Name=Ann Lee,Nickname,Primary Email=ann@example.com,Secondary Email,Screen Name=annie,Work Phone,Home Phone,Fax Number,Pager Number,Mobile Number,Home Address,Home Address 2,Home City,Home State,Home ZipCode,Home Country,Work Address,Job Title,Department,Organization,Web Page 1,Birth Year,Custom 1,Notes,
Thunderbird in German: Vorname,Nachname,Anzeigename=Ann Lee,Spitzname,Primäre E-Mail-Adresse,Sekundäre E-Mail-Adresse=ann@example.com,Messenger-Name,Tel. dienstlich,Privat: Adresse,Privat: Ort,Arbeitstitel,Organisation,Webseite 1,Geburtsjahr,Benutzerdef. 1,Notizen,
Thunderbird in Italian: Nome=Ann,Cognome=Lee,Nome visualizzato=Ann Lee,Soprannome,Email primaria=ann@example.com,Email secondaria,Nome Instant Messenger=annie
an exporter of Apple Contacts: First name=Ann,Last name=Lee,Company,Home Email,Work Email=ann@example.com,iPhone
Nextcloud: uid=a.lee,displayname=Ann Lee,email=ann@example.com,quota=none
Slack: username=annie,email=ann@example.com,status=Member,billing-active=1,has-2fa=1,has-sso=0,userid=U1,fullname=Ann Lee,displayname=annie,expiration-timestamp
Entra ID: userPrincipalName=ann#EXT#@acme.onmicrosoft.com,displayName=Ann Lee,surname=Lee,mail=ann@example.com,givenName=Ann,id=1,userType=Guest,jobTitle,department,accountEnabled=True
Entra ID without mailboxes: userPrincipalName=ann@example.com,displayName=Ann Lee,surname,mail,givenName,id=1,userType=Member
Discourse: id=1,name=Ann Lee,username=annie,email=ann@example.com,title,created_at=2026-01-01,trust_level=1,secondary_emails=lee@example.org
Moodle: username=annie,firstname=Ann,lastname=Lee,email=ann@example.com,course1=sail
Moodle in German: Vorname=Ann;Nachname=Lee;E-Mail-Adresse=ann@example.com;Klasse=INF-23a
LinkedIn: First Name=Ann,Last Name=Lee,URL=https://www.linkedin.com/in/a,Email Address=ann@example.com,Company=Acme,Position,Connected On
Assignr: Last Name=Lee,First Name=Ann,Grade/Badge Level,Mobile Phone,Primary Email=ann@example.com,Secondary Email=eve@example.com,Is an Official?=YES
a club in English: First Name(s)=Ann,Last Name=Lee,E-mail Address (Primary)=ann@example.com,Primary Phone,Type of Membership
a club in German: Mitgliedsnummer=1;Anrede=Frau;Vorname=Ann;Zusatz;Nachname=Lee;Straße;Land;PLZ;Ort;Telefon;Telefax;E-Mail=ann@example.com;Aufnahmedatum;Newsletter  (0 für nein, -1 für ja)=0
JVerein: mitgliedsnummer=1;anrede=Frau;titel;name=Lee;vorname=Ann;strasse;plz;ort;email=ann@example.com;eintritt
Hitobito: Teilnehmernummer=6;Geschlecht=weiblich;Familienname=Lee;Vorname=Ann;Sprachcode;Adresse;PLZ;Ort;Haupt-E-Mail=ann@example.com
a school in French: N°étudiant=1;Nom=Lee;Prénom=Ann;Filière;Adresse e-mail=ann@example.com
a club in Spanish: Nombre=Ann;Apellidos=Lee;Correo electrónico=ann@example.com;Puesto
a school in Italian: cognome=Lee;nome=Ann;disciplina;mail=ann@example.com;telefono;classe
a club in Dutch: Voornaam=Ann;Tussenvoegsel;Achternaam=Lee;E-mail=ann@example.com;Rol=lid;Privé-e-mail=lee@example.org`;

/** The name of each program, and a list that it writes. */
export const PROGRAM_LISTS = LISTS.trim()
  .split('\n')
  .map((line): [string, string] => {
    const [program = '', columns = ''] = line.split(/: (.*)/);
    const delimiter = columns.includes(';') ? ';' : ',';
    const [cells = []] = parse(columns, { delimiter });
    const join = (index: number) =>
      cells.map((cell) => `"${cell.split(/=(.*)/)[index] ?? ''}"`).join(delimiter);
    return [`the columns of ${program}`, `${join(0)}\n${join(1)}\n`];
  });
