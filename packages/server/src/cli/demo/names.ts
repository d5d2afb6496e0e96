/** First names by the sex in the game's data. */
export const firstNames: Readonly<Record<"f" | "m", readonly string[]>> = {
  f: (
    "Mara Élodie Zoë Aaliyah Bo Li Jo Chloé Anaïs Søs Åsa Märta Noor Yūki Amara Ingrid Fatima Siobhán Renée Lucía Begoña Ximena " +
    "Thea Priya Hana Mei Xiu Ying Olga Natália Žofia Łucja Małgorzata Günay Ayşe Zeynep Leïla Inès Nia Adaeze Chiamaka Wanjiru Grace " +
    "Ruth Edith Clara Johanna Anna-Lena Marie-Claire Mary-Jane Ana-Sofía Eva-Lotta Hannah Isla Freya Tess Vera Wilma Nadia Samira " +
    "Soraya Talia Uma Vivienne Yara Zara Beatriz Conceição Dagný Eilís Florence Gloria Heidi Iris Jasmine Katarína Lena Mónica Nora"
  ).split(" "),
  m: (
    "Al Bo Ed Jo Ty José Jürgen Björn Søren Łukasz Mateusz Ömer Çağrı Emre Ahmed Yusuf Idris Kwame Chidi Tunde Juma Kofi Wei Jun Hao " +
    "Minh Duc Hiroshi Kenji Ravi Arjun Vikram Dmitri Ștefan Ioan Miloš Jiří Håkon Leif Åke Mikael Sébastien François Jean-Luc " +
    "Karl-Heinz Hans-Peter Juan-Carlos Óscar Íñigo Thiago João Nuno Cillian Séamus Angus Owen Rhys Dylan Marcus Elijah Andre Trevor " +
    "Wade Clay Hank Otis Silas Theo Felix Anton Viktor Ruben Levi Noah Samir Tariq Omar Hassan Rashid Malik Zane Quentin Percy"
  ).split(" "),
};

export const lastNames: readonly string[] = (
  "Lind Ng Wu Li Xu Ek Oh Ó_Briain O'Neill D'Angelo MacLeod van_der_Berg de_la_Cruz von_Hohenfels Müller Schäfer Groß Weiß " +
  "Lindqvist Åkesson Öberg Sørensen Østergaard Þórsdóttir Björnsson Kowalski Wójcik Dąbrowski Novák Dvořák Šimek Horváth Szabó " +
  "Popescu Ionescu Petrov Sokolov Ivanova Yılmaz Öztürk Çelik Demir Haddad Rahman Hussain El-Amin Ben_Salah Okafor Adeyemi Mensah " +
  "Njoroge Abebe Diallo Traoré Nguyễn Trần Phạm Tanaka Sato Kobayashi Kim Park Chen Zhang Huang Patel Sharma Nair Singh Kaur " +
  "García Hernández Muñoz Peña Ibáñez Rodríguez Gonçalves Araújo Conceição Lefèvre Dubois Beaulieu Moreau Rossi Bianchi Esposito " +
  "Papadopoulos Nikolaou Smith Johnson Walker Carter Hayes Brooks Sullivan Whitaker Ashdown Blackwood Calloway Delgado Everhart " +
  "Fairchild Granger Holloway Ives Jennings Kensington Lockhart Mercer Norwood Ortega Prescott Quill Ramsey Sterling Thorne " +
  "Underwood Vance Winslow York Zeller Lindqvist-Okafor Smith-Jensen García-Lorca Müller-Lüdenscheidt Park-Hayes"
)
  .split(" ")
  .map((name) => name.replaceAll("_", " "));
